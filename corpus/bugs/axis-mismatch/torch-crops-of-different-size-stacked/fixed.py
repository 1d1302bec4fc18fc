import torch

image = torch.rand(3, 100, 100)
corners = [(0, 0), (40, 30), (60, 20)]
crops = [image[:, top : top + 32, left : left + 32] for top, left in corners]
batch = torch.stack(crops)
print(batch.shape)
