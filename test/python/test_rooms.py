# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One direction through the folders: a room includes only rooms before it.

The precompiled header shows every room the dialects, so the compiler alone
would not notice.
"""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = re.findall(r"add_subdirectory\((\w+)\)",
                   (ROOT / "lib/CMakeLists.txt").read_text())
INCLUDE = re.compile(r'#include "drawloom/(\w+)/')


@pytest.mark.parametrize("room", ROOMS)
def test_includes_only_rooms_before_it(room):
    later = ROOMS[ROOMS.index(room) + 1:]
    folders = ROOT / "lib" / room, ROOT / "include/drawloom" / room
    wrong = [f"{path.relative_to(ROOT)} includes {name}"
             for folder in folders for path in sorted(folder.rglob("*"))
             if path.suffix in (".h", ".cpp")
             for name in INCLUDE.findall(path.read_text()) if name in later]
    assert not wrong
