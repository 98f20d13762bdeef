"""Rows for torch. Importing this imports torch."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from torch.utils.data import IterableDataset, get_worker_info

if TYPE_CHECKING:
    from .data import Rows


class TorchRows(IterableDataset):  # type: ignore[misc, type-arg, unused-ignore]
    """The rows of a recipe; in a DataLoader each worker makes those of every n-th episode."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._mine: Rows | None = None

    def _own(self) -> Rows:
        """The rows of this worker. A DataLoader copies the data set into each before it asks."""
        if self._mine is None:
            worker = get_worker_info()
            self._mine = self.rows if worker is None else self.rows.shard(worker.id, worker.num_workers)
        return self._mine

    def __getstate__(self) -> Any:
        return self.rows

    def __setstate__(self, rows: Rows) -> None:
        self.__init__(rows)  # type: ignore[misc]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._own())

    def state_dict(self) -> dict[str, Any]:
        """Where this worker's iteration stands."""
        return self._own().state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Lets this worker's next iteration go on there."""
        self._own().load_state_dict(state)
