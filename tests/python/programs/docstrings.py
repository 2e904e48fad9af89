"""Runs the examples in the docstrings of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys

import thalweg

modules = ["thalweg", *(f"thalweg.{module.name}" for module in pkgutil.iter_modules(thalweg.__path__))]
results = [doctest.testmod(importlib.import_module(name)) for name in modules]
print(sum(result.attempted for result in results))
sys.exit(sum(result.failed for result in results))
