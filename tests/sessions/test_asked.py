"""What people ask to be remembered is kept and chatter is not, on turns that the judge has not learnt from."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
WISHES_AT_LEAST, CHATTER_AT_MOST = 0.88, 0.15


def bench() -> ModuleType:
    sys.path.insert(0, str(ROOT / "bench"))
    spec = importlib.util.spec_from_file_location("asked", ROOT / "bench" / "asked.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_without_a_pack_most_wishes_are_kept_and_little_chatter() -> None:
    module = bench()
    kept, wishes = module.shares(module.read(module.WISHES), None)["all"]
    assert kept / wishes >= WISHES_AT_LEAST
    kept, lines = module.shares(module.read(module.CHATTER), None)["all"]
    assert kept / lines <= CHATTER_AT_MOST
