"""python -m thalweg.cli"""

import sys


def main() -> int:
    try:
        from thalweg.cli import app
    except ModuleNotFoundError as fault:
        print(f"thalweg: the Python package '{fault.name}' is missing; pip install {fault.name}", file=sys.stderr)
        return 4  # Exit.ENVIRONMENT
    return app.main()


if __name__ == "__main__":
    sys.exit(main())
