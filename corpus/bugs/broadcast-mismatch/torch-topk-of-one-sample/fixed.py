import torch


def accuracy(scores, target, k=3):
    best = scores.topk(k, dim=1).indices
    hits = best.eq(target.view(-1, 1))
    return hits.any(dim=1).float().mean()


print(accuracy(torch.randn(8, 10), torch.randint(0, 10, (8,))).item())
