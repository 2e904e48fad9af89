"""Separate hosts on one machine: network namespaces with TCP between them and nothing shared but files. mpiexec starts
daemons in them as it would by ssh, and MPI finds ranks of different hosts on different nodes. The network between them
is a bridge of the kernel, or a hub of ours that delays and loses frames (hub.py)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.hub import Hub, Link

AGENT = Path(__file__).with_name("host_agent.sh")
NETWORK = "10.213.77"


def can_be_made() -> bool:
    return os.geteuid() == 0 and shutil.which("ip") is not None and make("netns", "add", "thw-probe", check=False) == 0


def make(*words: object, check: bool = True) -> int:
    done = subprocess.run(["ip", *map(str, words)], capture_output=True, text=True, timeout=30, check=False)
    if words[:3] == ("netns", "add", "thw-probe"):
        subprocess.run(["ip", "netns", "del", "thw-probe"], capture_output=True, timeout=30, check=False)
    assert not check or done.returncode == 0, f"ip {words}: {done.stderr}"
    return done.returncode


class Hosts:
    def __init__(self, count: int, link: Link | None = None) -> None:
        self.names = [f"thw-{number}" for number in range(1, count + 1)]
        self.bridge = "thw-bridge"
        self.hub = Hub(link) if link else None

    def bring_up(self) -> None:
        """mpiexec, which has no namespace of its own, is at the bridge."""
        if self.hub:
            self.hub.add(self.bridge)
        else:
            make("link", "add", self.bridge, "type", "bridge")
        make("addr", "add", f"{NETWORK}.254/24", "dev", self.bridge)
        make("link", "set", self.bridge, "up")
        for number, name in enumerate(self.names, 1):
            make("netns", "add", name)
            self.connect(name)
            make("-n", name, "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
            make("-n", name, "link", "set", "eth0", "up")
            make("-n", name, "link", "set", "lo", "up")
        if self.hub:
            self.hub.start()

    def connect(self, name: str) -> None:
        if self.hub:
            self.hub.add(f"{name}-up")
            make("link", "set", f"{name}-up", "netns", name, "name", "eth0")
        else:
            make("link", "add", f"{name}-up", "type", "veth", "peer", "name", "eth0", "netns", name)
            make("link", "set", f"{name}-up", "master", self.bridge, "up")

    def take_down(self) -> None:
        if self.hub:
            self.hub.end()
        for name in self.names:
            self.kill_all(name)
            make("netns", "del", name, check=False)
            make("link", "del", f"{name}-up", check=False)
        make("link", "del", self.bridge, check=False)

    def processes(self, name: str) -> list[int]:
        done = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, timeout=30, check=False)
        return [int(word) for word in done.stdout.split()]

    def kill_all(self, name: str) -> None:
        for process in self.processes(name):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def cut_off(self, name: str) -> None:
        """Nothing comes from or gets to the host any more, and nobody is told."""
        if self.hub:
            self.hub.cut(f"{name}-up")
        else:
            make("link", "set", f"{name}-up", "down")

    def reconnect(self, name: str) -> None:
        if self.hub:
            self.hub.mend(f"{name}-up")
        else:
            make("link", "set", f"{name}-up", "up")

    def environment(self, folder: Path, ranks: Sequence[int]) -> dict[str, str]:
        """Of an mpiexec that starts so many ranks on each host, one host after the other."""
        file = folder / f"hosts{'-'.join(map(str, ranks))}"
        file.write_text("".join(f"{name} slots={count}\n" for name, count in zip(self.names, ranks, strict=False)))
        return {
            "OMPI_MCA_orte_default_hostfile": str(file),
            "OMPI_MCA_plm_rsh_agent": str(AGENT),
            "OMPI_MCA_btl": "tcp,vader,self",
            "OMPI_MCA_btl_tcp_if_include": f"{NETWORK}.0/24",
            "OMPI_MCA_oob_tcp_if_include": f"{NETWORK}.0/24",
        }


@contextmanager
def hosts(count: int, link: Link | None = None) -> Iterator[Hosts]:
    """link: between them, where it is not to be as good as the kernel's."""
    Hosts(count).take_down()  # what a killed test left
    made = Hosts(count, link)
    try:
        made.bring_up()
        yield made
    finally:
        made.take_down()
