"""The devices for replays: the CPU always, GPUs on request if one is visible."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

GPU_FOLDER = Path("/proc/driver/nvidia/gpus")
DEVICE_FOLDER = Path("/dev")


@dataclass(frozen=True, slots=True)
class Device:
    """A device by name ("cpu", "gpu:0"), with the value of CUDA_VISIBLE_DEVICES that makes only it visible."""

    name: str
    visible: str

    @property
    def is_gpu(self) -> bool:
        return self.name.startswith("gpu")


CPU = Device("cpu", "-1")


def choose(request: str, gpus: Sequence[Device] | None = None) -> list[Device]:
    """Return the devices of a request ("cpu", "gpu" or "all"); empty if it is for GPUs and there is none."""
    if request not in ("cpu", "gpu", "all"):
        raise ValueError(f"unknown device: {request} (expected cpu, gpu or all)")
    if request == "cpu":
        return [CPU]
    found = list(visible_gpus() if gpus is None else gpus)
    return found if request == "gpu" else [CPU, *found]


def visible_gpus() -> list[Device]:
    """Return the NVIDIA GPUs that a new process would see, found without importing any library."""
    setting = os.environ.get("CUDA_VISIBLE_DEVICES")
    if setting is not None:
        shown = [name.strip() for name in setting.split(",") if name.strip()]
        ids = shown[: shown.index("-1")] if "-1" in shown else shown
        return _named(ids) if _present() else []
    return _named([str(number) for number in range(_present())])


def _named(ids: Sequence[str]) -> list[Device]:
    return [Device(f"gpu:{position}", identity) for position, identity in enumerate(ids)]


def _present() -> int:
    """Return the number of GPUs that the driver reports."""
    for folder, pattern in ((DEVICE_FOLDER, r"nvidia\d+"), (GPU_FOLDER, r".+")):
        try:
            count = sum(1 for entry in folder.iterdir() if re.fullmatch(pattern, entry.name))
        except OSError:
            continue
        if count:
            return count
    return 0
