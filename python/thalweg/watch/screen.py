"""The screen that shows a run while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import DataTable, Footer, Static

from thalweg.watch import rows

Json = dict[str, Any]
STYLES = {"failed": "bold red", "gone": "bold red", "silent": "yellow", "ended": "yellow", "finished": "green"}


class Screen(App[None]):
    """look: what is to be shown now, or a text that says why there is nothing. It may take long: a thread calls it."""

    TITLE = "thalweg watch"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    VerticalScroll { height: 1fr; }
    #text, #remarks { padding: 0 1; height: auto; }
    DataTable { height: auto; margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit"), ("r", "look", "Look now")]

    def __init__(self, look: Callable[[], Json | str], interval_s: float) -> None:
        super().__init__()
        self.look = look
        self.interval_s = interval_s

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(id="text")
            yield DataTable(id="collections", cursor_type="none")
            yield DataTable(id="writers", cursor_type="none")
            yield Static(id="remarks")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#collections", DataTable).add_columns(*rows.COLLECTIONS)
        self.query_one("#writers", DataTable).add_columns(*rows.WRITERS)
        self.action_look()
        self.set_interval(self.interval_s, self.action_look)

    def action_look(self) -> None:
        """One look at a time: the next one waits until a slow file system has answered."""
        if not any(worker.is_running for worker in self.workers):
            self.run_worker(self.look_and_show, thread=True)

    def look_and_show(self) -> None:
        made = self.look()
        with suppress(RuntimeError):  # it has been left meanwhile
            self.call_from_thread(self.show_made, made)

    def show_made(self, made: Json | str) -> None:
        if not self.query("#text"):
            return  # it is being left
        if isinstance(made, str):
            self.query_one("#text", Static).update(Text(made))
            return
        lines = [line for run in made["runs"] for line in (rows.title(run), "; ".join(rows.sentences(run)))]
        self.query_one("#text", Static).update(Text("\n".join(lines) or rows.NOTHING))
        self.fill("#collections", [rows.collection_row(of) for run in made["runs"] for of in run["collections"]])
        self.fill("#writers", [rows.writer_row(one) for run in made["runs"] for one in run["writers"]])
        self.query_one("#remarks", Static).update(Text("\n".join(rows.remarks(made))))

    def fill(self, name: str, lines: Sequence[Sequence[str]]) -> None:
        """Nothing in a cell is markup."""
        table = self.query_one(name, DataTable)
        table.clear()
        for line in lines:
            table.add_row(*(Text(cell, STYLES.get(cell, "")) for cell in line))
