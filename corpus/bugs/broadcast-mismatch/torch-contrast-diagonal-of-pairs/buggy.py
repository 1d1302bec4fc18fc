import torch
import torch.nn.functional as F


def nt_xent(a, b, t=0.5):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.t() / t
    mask = torch.eye(len(a), dtype=torch.bool)
    sim = sim.masked_fill(mask, -1e9)
    target = torch.arange(len(z)).roll(len(a))
    return F.cross_entropy(sim, target)


print(nt_xent(torch.randn(6, 16), torch.randn(6, 16)).item())
