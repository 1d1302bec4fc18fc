import torch

def factorise(ratings, rank, steps=5):
    rows, columns = ratings.shape
    U = torch.randn(rows, rank, requires_grad=True)
    V = torch.randn(columns, rank, requires_grad=True)
    optimizer = torch.optim.Adam([U, V], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        error = ratings - U @ V
        (error**2).mean().backward()
        optimizer.step()
    return U, V

factorise(torch.rand(30, 12), 4)
