"""Where servers are, for the tests of faults: on the model's node, on each of its two nodes, or on one of their own."""

from __future__ import annotations

from dataclasses import dataclass

from launch import history


@dataclass(frozen=True)
class Place:
    name: str
    writers: str
    nodes: str
    """ranks of each node"""
    clients: tuple[int, ...]
    servers: tuple[int, ...]
    writer: int
    """the server that writes the file when it is the only collection and has one writer, or owns it"""
    divided: bool = False
    """all servers write the collection"""

    def __str__(self) -> str:
        return self.name

    @property
    def ranks(self) -> int:
        return len(self.clients) + len(self.servers)

    @property
    def top(self) -> str:
        return f"emulate-nodes: {self.nodes}\n" if self.nodes else ""

    @property
    def settings(self) -> dict[str, object]:
        return {"servers": "all"} if self.divided else {}

    def history(self, top: str = "", **settings: object) -> str:
        """Configuration of one collection."""
        return history(self.writers, self.top + top, **self.settings, **settings)


RANKS = Place("ranks", "{ranks: 2}", "", (0, 1, 2, 3), (4, 5), 4)
RANK_A_NODE = Place("rank_a_node", "ranks", "[3, 3]", (0, 1, 3, 4), (2, 5), 2)
NODE = Place("node", "{nodes: {count: 1, backends-per-node: 1}}", "[4, 2]", (0, 1, 2, 3), (4, 5), 5)
DIVIDED = Place("divided", "{ranks: 2}", "", (0, 1, 2, 3), (4, 5), 4, True)
IDLE = Place("idle", "{ranks: 2, assign: idle}", "", (0, 1, 2, 3), (4, 5), 4)
PLACES = (RANKS, RANK_A_NODE, NODE, DIVIDED)
BY_NAME = {place.name: place for place in (*PLACES, IDLE)}
