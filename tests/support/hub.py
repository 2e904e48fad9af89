"""A network between hosts made of TAP devices: it takes its time for each frame, and loses some, as the queueing
disciplines of the kernel do where it has them (netem)."""

from __future__ import annotations

import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time
from dataclasses import dataclass, field

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
FRAME = 65536
MANY = 256
"""frames that are taken from a host before others have their turn"""


def tap(name: str) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return device


@dataclass(order=True)
class Frame:
    due: float
    number: int
    content: bytes = field(compare=False)
    port: int = field(compare=False)


@dataclass(frozen=True)
class Link:
    """Between any two hosts."""

    delays_s: tuple[float, float] = (0.02, 0.05)
    loss: float = 0.02

    def __str__(self) -> str:
        return f"{self.delays_s[0] * 1000:g}_to_{self.delays_s[1] * 1000:g}_ms-{self.loss * 100:g}_percent_lost"


class Hub:
    """Its thread carries frames from its start to its end. Frames between two hosts keep their order."""

    def __init__(self, link: Link, seed: int = 1) -> None:
        self.link, self.chance = link, random.Random(seed)
        self.ports: dict[str, int] = {}
        self.places: dict[bytes, int] = {}
        """the port of each address that was seen"""
        self.waiting: list[Frame] = []
        self.last: dict[tuple[int, int], float] = {}
        self.cut_off: set[int] = set()
        self.carried = self.lost = 0
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._carry, daemon=True)

    def add(self, name: str) -> None:
        """Makes the device of a host; before the start."""
        self.ports[name] = tap(name)

    def start(self) -> None:
        self.thread.start()

    def end(self) -> None:
        self.ends.set()
        if self.thread.ident is not None:
            self.thread.join(timeout=10)
        for port in self.ports.values():
            os.close(port)
        self.ports.clear()

    def cut(self, name: str) -> None:
        """Nothing comes from or gets to the host any more, and nobody is told."""
        self.cut_off.add(self.ports[name])

    def mend(self, name: str) -> None:
        self.cut_off.discard(self.ports[name])

    def _carry(self) -> None:
        poll = select.poll()
        for port in self.ports.values():
            poll.register(port, select.POLLIN)
        while not self.ends.is_set():
            now = time.monotonic()
            next_s = self.waiting[0].due - now if self.waiting else 0.1
            for port, _ in poll.poll(max(0.0, min(0.1, next_s)) * 1000):
                self._take(port)
            while self.waiting and self.waiting[0].due <= time.monotonic():
                self._give(heapq.heappop(self.waiting))

    def _take(self, port: int) -> None:
        for _ in range(MANY):
            try:
                content = os.read(port, FRAME)
            except OSError:  # nothing more is there, or the host is not up
                return
            self.places[content[6:12]] = port
            known = self.places.get(content[:6])
            for to in self.ports.values() if known is None else [known]:
                if to != port:
                    self._send(port, to, content)

    def _send(self, port: int, to: int, content: bytes) -> None:
        if {port, to} & self.cut_off or self.chance.random() < self.link.loss:
            self.lost += 1
            return
        self.carried += 1
        due = max(time.monotonic() + self.chance.uniform(*self.link.delays_s), self.last.get((port, to), 0.0))
        self.last[port, to] = due
        heapq.heappush(self.waiting, Frame(due, self.carried, content, to))

    def _give(self, frame: Frame) -> None:
        if frame.port in self.cut_off:
            return
        try:
            os.write(frame.port, frame.content)
        except OSError:  # as a frame that is lost
            self.lost += 1
