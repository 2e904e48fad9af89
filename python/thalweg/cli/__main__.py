"""python -m thalweg.cli"""

import sys

from thalweg.cli.app import main

sys.exit(main())
