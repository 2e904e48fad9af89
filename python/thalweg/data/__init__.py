"""Files, sets of files and stores of any format as datasets of raw values: open_any(path)."""

from thalweg.data.model import DataError, Dataset, Dimension, Slab, Variable
from thalweg.data.opening import open_any

__all__ = ["DataError", "Dataset", "Dimension", "Slab", "Variable", "open_any"]
