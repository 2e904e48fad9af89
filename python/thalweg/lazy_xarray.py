"""A dataset as xarray has it, whose values are read when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from thalweg.xarray_times import with_plain_units

if TYPE_CHECKING:
    from thalweg.dataset import Dataset, DatasetVariable


class LazyArray(BackendArray):
    def __init__(self, of: DatasetVariable) -> None:
        self._of = of
        self.shape = of.shape
        self.dtype = of.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        support = indexing.IndexingSupport.BASIC
        return indexing.explicit_indexing_adapter(key, self.shape, support, lambda basic: self._of[basic])


def xarray_dataset(dataset: Dataset, decode: bool) -> xarray.Dataset:
    variables = {
        name: xarray.Variable(of.dims, indexing.LazilyIndexedArray(LazyArray(of)), dict(of.attributes))
        for name, of in dataset.items()
    }
    if not decode:
        return xarray.Dataset(variables, attrs=dataset.attributes)
    return xarray.decode_cf(xarray.Dataset(with_plain_units(variables), attrs=dataset.attributes))
