import torch
import torch.nn.functional as F

B, H, T, D = 2, 4, 9, 8
q = torch.randn(B, H, T, D)
k, v = torch.randn(B, H, T, D), torch.randn(B, H, T, D)
pad = torch.zeros(B, T, dtype=torch.bool)
pad[:, 6:] = True
out = F.scaled_dot_product_attention(q, k, v, attn_mask=~pad[:, None, None, :])
print(out.shape)
