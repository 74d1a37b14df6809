"""Writes docs/coverage.md; exit code 1 if something has neither a test nor a reason."""

from __future__ import annotations

import sys

from tests.coverage_matrix import matrix
from tests.coverage_matrix.page import PAGE, text

if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
    gaps = matrix.gaps()
    print(f"{PAGE}: {len(gaps)} gaps")
    print(*gaps, sep="\n")
    sys.exit(bool(gaps))
