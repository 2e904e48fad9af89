# ctest: TIMEOUT 120 ALL 300
"""Output into the folder of an overlay, as containers have it: what the lower layer has is copied when it is first
changed, and may be another file then; its folders can only be renamed where the overlay redirects them.

The long tests meet every kind of overlay in every format."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from calls import OUT, Ended, Fault, Model, recover
from conftest import small_tmpfs
from launch import STORAGE
from living import Living
from names import NEW, NEXT, OLD, Names, digest, told
from support.ways import ALL

pytestmark = pytest.mark.timeout(60)
MODELS = [
    Model("cdf5"),
    Model("netcdf4", durability="record"),
    Model("fortran"),
    Model("zarr"),
    Model("cdf2", durability="record"),
    Model("zarr", "sharded", durability="record"),
]
LAYERS = {
    "one file system": "xino=off,redirect_dir=off",
    "two file systems": "xino=off,redirect_dir=off",
    "two, folders redirected": "xino=off,redirect_dir=on",
    "two, inodes told apart": "xino=on,redirect_dir=on,index=on",
}


@dataclass(frozen=True)
class Layers:
    """Folders of jobs: of one that wrote into the lower layer before, and of those that write into the overlay."""

    earlier: Path
    now: Path
    kind: str

    @property
    def renames_folders(self) -> bool:
        """Also those of the lower layer."""
        return "redirect_dir=on" in LAYERS[self.kind]

    def moves(self, model: Model) -> bool:
        """Whether what the lower layer has of such a job can be renamed."""
        return self.renames_folders or model.file_format != "zarr"

    @contextmanager
    def mounted(self) -> Iterator[None]:
        below = self.now / "below"
        folders = f"lowerdir={self.earlier / OUT},upperdir={below / 'upper'},workdir={below / 'work'}"
        command = ["mount", "-t", "overlay", "overlay", "-o", f"{folders},{LAYERS[self.kind]}", self.now / OUT]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        if done.returncode != 0:
            pytest.skip(f"no overlay can be mounted here: {done.stderr.strip()}")
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", self.now / OUT], check=True, timeout=30)


@pytest.fixture
def layers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Layers]:
    """Not mounted yet, on file systems of their own, because overlays cannot lie upon overlays."""
    if os.geteuid() != 0:
        pytest.skip("only root mounts an overlay")
    made = Layers(tmp_path / "earlier", tmp_path / "now", request.param)
    base = made.earlier.parent / "base" if made.kind == "one file system" else None
    with ExitStack() as stack:
        if base is not None:
            base.mkdir()
            stack.enter_context(small_tmpfs(base, "64m"))
        for folder, below in ((made.earlier, OUT), (made.now, "below")):
            folder.mkdir()
            if base is not None:
                (base / below).mkdir()
                (folder / below).symlink_to(base / below)
            else:
                (folder / below).mkdir()
                stack.enter_context(small_tmpfs(folder / below, "64m"))
        for name in ("below/upper", "below/work", OUT):
            (made.now / name).mkdir()
        yield made


def every_way(start: int) -> pytest.MarkDecorator:
    """All models on all layers, or each model on another kind of them."""
    kinds = list(LAYERS)
    some = [(model, kinds[(start + place) % len(kinds)]) for place, model in enumerate(MODELS)]
    every = list(product(MODELS, kinds)) if ALL else some
    return pytest.mark.parametrize(
        ("model", "layers"), every, indirect=["layers"], ids=lambda value: str(value).replace(" ", "_")
    )


def assert_well(done: Ended, folder: Path) -> None:
    assert done.code == 0, f"exit {done.code}, hung: {done.hung}: {told(folder)}\n{done.output}"


@every_way(0)
def test_a_file_of_the_lower_layer_is_replaced_or_stays(model: Model, layers: Layers) -> None:
    assert_well(model.run(layers.earlier, OLD), layers.earlier)
    earlier, names = Names(layers.earlier, model), Names(layers.now, model)
    old = digest(earlier.name)
    with layers.mounted():
        done = model.run(layers.now, NEW)
        if layers.moves(model):
            assert_well(done, layers.now)
            names.assert_has(NEW)
            assert names.present() == names.usual()
        else:
            assert_refused(layers.now, done, names)
            assert digest(names.name) == old
            names.make_free()
            assert names.assert_recovers(names.partial, NEW) == NEW
        names.assert_runs()  # replaces what the upper layer has
        assert names.present() == names.usual()
    assert digest(earlier.name) == old, "the lower layer was changed"


def assert_refused(folder: Path, done: Ended, names: Names) -> None:
    """The text says what is complete, and where."""
    assert done.code == STORAGE, done.output
    for word in (names.name.name, names.partial.name, "Invalid cross-device link"):
        assert word in told(folder), told(folder)


@every_way(1)
def test_a_killed_job_is_recovered(model: Model, layers: Layers) -> None:
    assert_well(model.run(layers.earlier, OLD), layers.earlier)
    names = Names(layers.now, model)
    with layers.mounted():
        confirmed = Living(layers.now, model).die()
        old = digest(names.name)
        refused = recover(layers.now, names.partial)
        assert refused.code == STORAGE and "exists already" in refused.output, refused.output
        assert digest(names.name) == old
        names.make_free()
        assert names.assert_recovers(names.partial, confirmed) >= confirmed
        names.assert_runs()


@every_way(2)
def test_what_a_killed_job_left_in_the_lower_layer_is_recovered_or_kept(model: Model, layers: Layers) -> None:
    """The journal knows its file by its inode, which copying may change."""
    (layers.earlier / OUT).mkdir(exist_ok=True)
    confirmed = Living(layers.earlier, model).die()
    names = Names(layers.now, model)
    left = digest(Names(layers.earlier, model).partial)
    with layers.mounted():
        if layers.moves(model):
            assert names.assert_recovers(names.partial, confirmed) >= confirmed
        else:
            done = recover(layers.now, names.partial)
            assert done.code == STORAGE and "Invalid cross-device link" in done.output, done.output
            assert names.partial.exists() and not names.name.exists()
    assert digest(Names(layers.earlier, model).partial) == left, "the lower layer was changed"


@every_way(3)
def test_a_run_keeps_aside_what_a_killed_one_left_in_the_lower_layer(model: Model, layers: Layers) -> None:
    (layers.earlier / OUT).mkdir(exist_ok=True)
    confirmed = Living(layers.earlier, model).die()
    names = Names(layers.now, model)
    with layers.mounted():
        done = model.run(layers.now, NEXT)
        if layers.moves(model):
            assert_well(done, layers.now)
            names.assert_has(NEXT)
            assert names.assert_recovers(names.kept, confirmed) >= confirmed
        else:
            assert_refused(layers.now, done, names)
            assert names.partial.exists() and not names.name.exists()


@every_way(4)
def test_a_name_has_one_owner(model: Model, layers: Layers) -> None:
    """Also where a lock file of a killed run lies in the lower layer, and is copied when it is opened."""
    assert_well(model.run(layers.earlier, OLD), layers.earlier)
    lock = Names(layers.earlier, model).name.with_name(f"{model.name}.lock")
    lock.write_text("thalweg writes this name: host elsewhere, process 1, since 2000-01-01T00:00:00Z\n")
    names = Names(layers.now, model)
    with layers.mounted():
        living = Living(layers.now, model)
        try:
            done = model.run(layers.now, NEXT)
            assert done.code == STORAGE, done.output
            for word in ("is being written by another job", str(living.process), socket.gethostname()):
                assert word in told(layers.now), told(layers.now)
            refused = recover(layers.now, names.partial)
            assert refused.code == STORAGE, refused.output
        finally:
            ended = living.go_on()
        if layers.moves(model):
            assert_well(ended, living.folder)
            names.assert_has(NEW)
        else:
            assert_refused(living.folder, ended, names)


@pytest.mark.parametrize("layers", list(LAYERS) if ALL else ["two file systems"], indirect=True)
@pytest.mark.parametrize("model", [model for model in MODELS if model.file_format in ("netcdf4", "fortran")], ids=str)
def test_a_recovery_that_was_killed_behind_a_copy_is_made_again(model: Model, layers: Layers) -> None:
    """The file has been copied and not been written to; the first thing that is written is the lock."""
    (layers.earlier / OUT).mkdir(exist_ok=True)
    confirmed = Living(layers.earlier, model).die()
    names = Names(layers.now, model)
    with layers.mounted():
        assert recover(layers.now, names.partial, Fault(2, "before", kinds=("write",))).killed
        assert names.partial.exists()
        assert names.assert_recovers(names.partial, confirmed) >= confirmed
