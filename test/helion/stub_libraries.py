# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python stub_libraries.py DIRECTORY`: lets torch's wheel be imported without NVIDIA's libraries.

The wheel is linked with libraries that only a GPU needs, and the loader wants each of them and every
function named from them. For each this writes one whose functions all say "no device" (100 in both of
CUDA's numberings), into the directory of torch's own libraries, where the loader looks first.
"""
import collections
import re
import subprocess
import sys
from pathlib import Path

NO_DEVICE = 100
# How NVIDIA's libraries begin, and those of their functions that have no version.
LIBRARIES = ("libcu", "libnv", "libnccl")
FUNCTIONS = ("cu", "nv", "nccl")


def readelf(option, library):
    return subprocess.run(["readelf", "-W", option, library], check=True, capture_output=True, text=True).stdout


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", library))


def undefined(library):
    """(function, the library it must come from or None, its version or None) of all that others define."""
    owners = {}
    for row in readelf("-V", library).splitlines():
        if found := re.search(r"File: (\S+)", row):
            file = found[1]
        elif found := re.search(r"Name: (\S+)", row):
            owners[found[1]] = file
    for row in map(str.split, readelf("--dyn-syms", library).splitlines()):
        if len(row) > 7 and row[6] == "UND":
            name, _, version = row[7].partition("@")
            version = version.lstrip("@") or None
            yield name, owners.get(version), version


def build(path, functions):
    """A library with these functions; `functions` maps a version, or None, to names."""
    names = sorted(set().union(*functions.values()))
    source = "".join(f"int {name}(void) {{ return {NO_DEVICE}; }}\n" for name in names)
    nodes = "".join(f"{version} {{ global: {'; '.join(sorted(names))}; }};\n"
                    for version, names in functions.items() if version)
    script = path.with_suffix(".versions")
    script.write_text(nodes)
    versions = [f"-Wl,--version-script={script}"] if nodes else []
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", path, f"-Wl,-soname,{path.name}", *versions],
                   input=source, text=True, check=True)
    script.unlink()


def main(directory):
    libraries = sorted(path for path in directory.glob("*.so*") if not path.name.startswith(LIBRARIES))
    missing = {name for library in libraries for name in needed(library) if name.startswith(LIBRARIES)}
    functions = collections.defaultdict(lambda: collections.defaultdict(set))
    for library in libraries:
        wanted = set(needed(library)) & missing
        for name, owner, version in undefined(library) if wanted else ():
            if owner in missing:
                functions[owner][version].add(name)
            elif version is None and name.startswith(FUNCTIONS):
                functions[min(wanted)][None].add(name)  # any library may define it: the loader asks all
    for name in sorted(missing):
        build(directory / name, functions[name] or {None: {"nothing"}})
        print(f"stub: {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
