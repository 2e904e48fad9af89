"""The site: make docs. Pages are Markdown (MyST); they are read as well where no site is made of them."""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent
sys.path.insert(0, str(SOURCE / "docs"))  # generated.py

project = "Thalweg"
author = "The Thalweg developers"
version = release = re.search(r"project\(thalweg VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]

extensions = ["generated", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"Thalweg {version}"
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
exclude_patterns = ["changes"]
smartquotes = False  # two hyphens of an option stay two
html_static_path = ["_static"]
html_css_files = ["site.css"]
# Pages lead to sources and to READMEs, which are no part of the site.
suppress_warnings = ["myst.xref_missing"]
