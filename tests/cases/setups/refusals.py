"""Prints how configurations are refused that a file of JSON lists, for a set-up that has one diagnostic."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from thalweg_veros import settings

for config in json.loads(Path(sys.argv[1]).read_text()):
    Path("config.yaml").write_text(json.dumps(config))
    try:
        settings.read(
            SimpleNamespace(settings=SimpleNamespace(thalweg_config="config.yaml"), diagnostics={"snapshot": None})
        )
        print("accepted")
    except ValueError as error:
        print(error)
