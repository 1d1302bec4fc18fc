"""Files with several arrays: archives of NumPy, and HDF5 files as h5py reads them."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Dict, Ref, Seq, Tensor, Value, as_str
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.ops.files import array_in_file
from shapecheck.shapes.shape import UNRANKED

ARCHIVE = "np.lib.npyio.NpzFile"
HDF5 = "h5py.File"


@behaviour(f"{{{ARCHIVE},{HDF5}}}.{{__enter__}}")
def opened(ctx: Context, self: Ref) -> Value:
    return self


@behaviour(f"{{{ARCHIVE},{HDF5}}}.{{close,__exit__}}")
def closed(ctx: Context, *args: Value) -> Value:
    return NONE


@behaviour(f"{ARCHIVE}.{{__getitem__,get}}")
def array_of_archive(ctx: Context, self: Ref, key: Value, *args: Value) -> Value:
    arrays = ctx.get(self, "_arrays")
    found = [value for name, value in arrays.items if name == key] if isinstance(arrays, Dict) else []
    return found[0] if found else ctx.lost("an array of an archive")


@attribute(f"{ARCHIVE}.files")
def names_of_arrays(ctx: Context, self: Value) -> Value:
    arrays = ctx.get(self, "_arrays")
    return Seq("list", tuple(name for name, _ in arrays.items)) if isinstance(arrays, Dict) else ctx.lost("arrays")


@behaviour(HDF5)
def hdf5_file(ctx: Context, name: Value = NONE, mode: Value = Const("r"), *args: Value, **keywords: Value) -> Value:
    """Return the file, or a group in it, if it lies beside the program and is only read."""
    if mode != Const("r") or (ctx.facts_of(name) or {}).get("arrays") is None:
        return ctx.lost("a file of HDF5")
    return ctx.new(HDF5, _path=name, _group=Const(""))


@behaviour(f"{HDF5}.{{__getitem__,get}}")
def part_of_hdf5(ctx: Context, self: Ref, key: Value, *args: Value) -> Value:
    path, group, name = ctx.get(self, "_path") or NONE, as_str(ctx.get(self, "_group") or NONE), as_str(key)
    if group is None or name is None:
        return ctx.lost("a part of a file")
    whole = f"{group}{name.strip('/')}"
    arrays = (ctx.facts_of(path) or {}).get("arrays", {})
    if whole in arrays:
        found = array_in_file(ctx, path, whole)
        return found if isinstance(found, Tensor) and found.shape != UNRANKED else ctx.lost("objects in a file")
    if any(each.startswith(f"{whole}/") for each in arrays):
        return ctx.new(HDF5, _path=path, _group=Const(f"{whole}/"))
    return ctx.lost("a part of a file")
