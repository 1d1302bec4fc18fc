"""The former place of the layers."""

from timm.layers import DropPath as DropPath
from timm.layers import drop_path as drop_path
from timm.layers import to_1tuple as to_1tuple
from timm.layers import to_2tuple as to_2tuple
from timm.layers import to_3tuple as to_3tuple
from timm.layers import to_4tuple as to_4tuple
from timm.layers import to_ntuple as to_ntuple
from timm.layers import trunc_normal_ as trunc_normal_
