"""Folders that tests read: the repository's own, and the small files kept for tests."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
CONFIGS = ROOT / "configs"
DATASET_FILES = ROOT / "tests" / "datasets" / "files"
TINY_READER = ROOT / "tests" / "models" / "files" / "tiny-reader"
