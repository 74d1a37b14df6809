"""python -m ddi_inspector: the command line."""

import sys

from ddi_inspector import main

sys.exit(main())
