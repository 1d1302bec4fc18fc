"""Runs replays on the real libraries, in worker processes that survive any failure of a replay."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from shapecheck.findings import Confirmation, titled
from shapecheck.models.lang.packs import replays_of
from shapecheck.progress import Progress
from shapecheck.runtime.importable import PACKAGE_PARENT
from shapecheck.runtime.replay.devices import CPU, Device
from shapecheck.runtime.replay.plan import Plan
from shapecheck.runtime.replay.verdict import CONFIRMED, NOT_REPRODUCIBLE, REFUTED, Mode, Run, combined, judge

SECONDS = 20.0
MEGABYTES = 4096
IMPORT_SECONDS = 180.0
GPU_PATIENCE = 3
_BACKENDS = ("tensorflow", "jax", "torch")


class WorkerDied(Exception):
    """The worker process itself ended or does not respond."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The properties that distinguish worker processes."""

    modules: tuple[str, ...]
    device: Device
    legacy_keras: bool = False

    @property
    def backend(self) -> str:
        """Return the backend of Keras."""
        return self.modules[0] if self.modules[0] in _BACKENDS else "tensorflow"


@dataclass
class Worker:
    """A worker process with its description of itself."""

    setup: Setup
    process: subprocess.Popen[bytes] | None = None
    versions: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    imports: int = 0
    served: int = 0
    starts: int = 0
    _folder: tempfile.TemporaryDirectory[str] | None = None
    _unread: bytes = b""

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the worker's answer to a job; raises WorkerDied. A worker that died before is started again."""
        if not self._is_hopeless() and (self.process is None or self.process.poll() is not None):
            self._start()
        problem = next((self.problems[name] for name in job["modules"] if name in self.problems), "")
        if problem:
            return {"status": "unavailable", "text": problem}
        self._send(job)
        answer = self._receive(job["seconds"] + 10)
        self.served += 1
        return answer

    def _is_hopeless(self) -> bool:
        """Return whether the library that everything needs could not be imported."""
        return self.setup.modules[0] in self.problems

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _start(self) -> None:
        self.close()
        self.starts += 1
        self._unread = b""
        self._folder = tempfile.TemporaryDirectory(prefix="shapecheck-")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "shapecheck.runtime.replay.worker", *self.setup.modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env=environment(self.setup, self._folder.name),
            start_new_session=True,
        )
        hello = self._receive(IMPORT_SECONDS)
        self.versions = hello["versions"]
        self.problems = {name: text.replace(name, titled(name), 1) for name, text in hello["problems"].items()}
        self.imports += hello["imports"]

    def _send(self, job: dict[str, Any]) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied(f"the worker process ended: {error}") from None

    def _receive(self, seconds: float) -> dict[str, Any]:
        """Return one line from the worker, within a time limit."""
        assert self.process is not None
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self._unread:
            if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
                self.close()
                raise WorkerDied(f"the worker process was silent for {seconds:g} s")
            part = os.read(descriptor, 1 << 16)
            if not part:
                self.close()
                raise WorkerDied("the worker process ended")
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer


def environment(setup: Setup, folder: str) -> dict[str, str]:
    """Return the environment of a worker process: oneDNN off (with it TensorFlow may return wrong shapes or crash),
    only the wanted device visible, and nothing that reads or writes the user's configuration or code."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONSTARTUP", "PYTHONPATH")}
    paths = [str(PACKAGE_PARENT), *_absolute_paths(os.environ.get("PYTHONPATH", ""))]
    return {
        **inherited,
        "PYTHONPATH": os.pathsep.join(paths),
        "TF_ENABLE_ONEDNN_OPTS": "0",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_FORCE_GPU_ALLOW_GROWTH": "true",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # looked for without being woken up, which no forked child survives
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        "JAX_PLATFORMS": "cuda" if setup.device.is_gpu else "cpu",
        "TF_USE_LEGACY_KERAS": "1" if setup.legacy_keras else "0",
        "CUDA_VISIBLE_DEVICES": setup.device.visible,
        "KERAS_BACKEND": setup.backend,
        "KERAS_HOME": folder,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _absolute_paths(setting: str) -> list[str]:
    return [path for path in setting.split(os.pathsep) if os.path.isabs(path)]


def setup_of(plan: Plan, device: Device) -> Setup:
    """Return the setup of the worker process that a plan needs."""
    if plan.library == "numpy":
        return Setup(plan.modules, CPU)
    if plan.library == "cupy":
        return Setup(("cupy",), device)
    if plan.modules == ("keras",):
        return Setup((keras_backend(), "keras"), device)
    if replays_of(plan.library) is not None:
        return Setup(plan.modules, device)
    return Setup(("tensorflow", "tf_keras" if plan.legacy_keras else "keras"), device, plan.legacy_keras)


@functools.cache
def keras_backend() -> str:
    """Return TensorFlow if it is installed, otherwise the backend that the user has configured or installed."""
    wanted = os.environ.get("KERAS_BACKEND", "")
    choices = ("tensorflow", *([wanted] if wanted in _BACKENDS else []), *_BACKENDS)
    return next((name for name in choices if importlib.util.find_spec(name) is not None), "tensorflow")


class Pool:
    """The worker processes of one session, at most one for each setup, started when first needed."""

    def __init__(self, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self.workers: dict[Setup, Worker] = {}

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.workers.values():
            worker.close()

    def confirm(self, plan: Plan, device: Device = CPU) -> Confirmation:
        """Return a device's confirmation of a plan, in its first form whose names and arguments the library has."""
        verdict = self._confirm_form(plan, device)
        if verdict.status == NOT_REPRODUCIBLE and plan.fallback is not None:
            other = self.confirm(plan.fallback, device)
            verdict = verdict if other.status == NOT_REPRODUCIBLE else other
        if verdict.status == REFUTED and plan.computed is not None:
            other = self.confirm(plan.computed, device)
            verdict = other if other.status == CONFIRMED else verdict
        return verdict

    def _confirm_form(self, plan: Plan, device: Device) -> Confirmation:
        setup = setup_of(plan, device)
        worker = self.workers.setdefault(setup, Worker(setup))
        verdict = Confirmation(NOT_REPRODUCIBLE)
        for mode in plan.modes if setup.backend == "tensorflow" else ("plain",):
            run = self._run(worker, plan, mode)
            verdict = judge(
                run,
                fault_line=plan.fault_line,
                expects=plan.expects,
                mode=mode,
                library=_library(plan, worker),
                guessed=plan.guessed,
                dated=plan.dated,
                fault_end=plan.fault_end,
                symptom=plan.symptom,
                called=plan.called,
            )
            if verdict.status == CONFIRMED or run.status in ("absent", "unavailable"):
                break
        return Confirmation(verdict.status, setup.device.name, verdict.library, verdict.error, verdict.text)

    def _run(self, worker: Worker, plan: Plan, mode: Mode) -> Run:
        setup = worker.setup
        on_gpu = setup.device.is_gpu
        job = {
            "program": plan.program,
            "names": plan.names,
            "mode": mode,
            "modules": (setup.modules[0], *plan.modules),
            "seconds": self.seconds * (GPU_PATIENCE if on_gpu else 1),
            "megabytes": 0 if on_gpu else self.megabytes,  # a GPU's driver reserves more than any bound
        }
        if not hasattr(os, "fork"):
            return Run("unavailable", text="replays need a system that can fork processes")
        try:
            answer = worker.ask(job)
        except WorkerDied as error:
            return Run("crashed" if worker.versions else "unavailable", text=str(error))
        classes = tuple(answer.get("classes", ()))
        return Run(
            answer["status"], classes, answer.get("text", ""), answer.get("line", 0), tuple(answer.get("lines", ()))
        )


def _library(plan: Plan, worker: Worker) -> str:
    """Return the library that answered, with its versions."""
    about = worker.setup.modules if plan.library == "keras" else plan.modules[:1]
    return ", ".join(f"{name.replace('_', '-')} {worker.versions[name]}" for name in about if name in worker.versions)


def confirm(
    plans: Sequence[Plan | str],
    devices: Sequence[Device] = (CPU,),
    progress: Progress | None = None,
    *,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> list[Confirmation]:
    """Replay each plan on each device; a plan that is a text is the reason why there is none."""
    answers = []
    with Pool(seconds=seconds, megabytes=megabytes) as pool:
        for done, plan in enumerate(plans):
            if progress is not None:
                progress(done, len(plans))
            answers.append(_confirm_everywhere(pool, plan, devices))
    if progress is not None:
        progress(len(plans), len(plans))
    return answers


def _confirm_everywhere(pool: Pool, plan: Plan | str, devices: Sequence[Device]) -> Confirmation:
    if isinstance(plan, str):
        return Confirmation(NOT_REPRODUCIBLE, text=plan)
    if not devices:
        return Confirmation(NOT_REPRODUCIBLE, text="no GPU is visible")
    if plan.library != "numpy":
        return combined([pool.confirm(plan, device) for device in devices])
    on_gpus = _on_gpus(pool, plan, devices) if plan.expects != "staged" else []
    return combined([pool.confirm(plan), *on_gpus])


def _on_gpus(pool: Pool, plan: Plan, devices: Sequence[Device]) -> list[Confirmation]:
    """Return what CuPy, NumPy's counterpart for GPUs, does with NumPy's calls, if it is installed and has them."""
    twin = replace(
        plan,
        program=plan.program.replace("import numpy as np", "import cupy as np", 1),
        library="cupy",
        modules=("cupy",),
        names=tuple(name.replace("numpy:", "cupy:", 1) for name in plan.names),
        fallback=None,
    )
    verdicts = [pool.confirm(twin, device) for device in devices if device.is_gpu]
    return [verdict for verdict in verdicts if verdict.status != NOT_REPRODUCIBLE]
