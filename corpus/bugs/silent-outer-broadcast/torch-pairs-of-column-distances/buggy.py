import torch
import torch.nn.functional as F


def contrastive(a, b, label, margin=1.0):
    d = F.pairwise_distance(a, b, keepdim=True)
    return ((1 - label) * d.pow(2) + label * (margin - d).clamp(min=0).pow(2)).mean()


a, b = torch.randn(16, 32), torch.randn(16, 32)
label = torch.randint(0, 2, (16,)).float()
print(contrastive(a, b, label))
