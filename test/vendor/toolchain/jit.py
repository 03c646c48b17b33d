# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the vendor's runtime asks of its compiler for the kernels of an emitted program.

The runtime compiles at a launch, once for each RISC-V core. These are its command
lines, and the files that it writes beside a kernel, as far as they decide whether a
kernel compiles: arguments and formats of buffers do not, and are the same for all.
"""
import re

import places

# Of a chip: its name in paths and for the compiler, and what the runtime knows of the part.
CHIPS = {
    "wormhole": ("wormhole_b0", "tt-wh", ["ARCH_WORMHOLE", "IS_NOT_POW2_NUM_DRAM_BANKS=1",
                                          "IS_NOT_POW2_NUM_L1_BANKS=1", "NUM_DRAM_BANKS=12", "NUM_L1_BANKS=72",
                                          "PCIE_NOC_X=0", "PCIE_NOC_Y=3", "ROUTING_FW_ENABLED",
                                          "DISPATCH_MESSAGE_ADDR=4290183304"]),
    "blackhole": ("blackhole", "tt-bh", ["ARCH_BLACKHOLE", "IS_NOT_POW2_NUM_L1_BANKS=1",
                                         "LOG_BASE_2_OF_NUM_DRAM_BANKS=3", "NUM_DRAM_BANKS=8", "NUM_L1_BANKS=130",
                                         "PCIE_NOC_X=19", "PCIE_NOC_Y=24", "DISPATCH_MESSAGE_ADDR=4290184248"]),
}
# Of a core: the firmware around its kernels, by what that knows it, and the image's name.
CORES = {
    "RISCV_0": ("brisck.cc", ["PROCESSOR_INDEX=0", "COMPILE_FOR_BRISC"], "brisc"),
    "RISCV_1": ("ncrisck.cc", ["PROCESSOR_INDEX=1", "COMPILE_FOR_NCRISC"], "ncrisc"),
    "unpack": ("trisck.cc", ["PROCESSOR_INDEX=2", "UCK_CHLKC_UNPACK", "COMPILE_FOR_TRISC=0"], "trisc0"),
    "math": ("trisck.cc", ["PROCESSOR_INDEX=3", "UCK_CHLKC_MATH", "COMPILE_FOR_TRISC=1"], "trisc1"),
    "pack": ("trisck.cc", ["PROCESSOR_INDEX=4", "UCK_CHLKC_PACK", "COMPILE_FOR_TRISC=2"], "trisc2"),
}
MACROS = ["TENSIX_FIRMWARE", "LOCAL_MEM_EN=0", "DISABLE_SFPLOADMACRO", "PROGRAMMABLE_CORE_TYPE=0", "KERNEL_BUILD",
          'FULL_KERNEL_NAME="kernel/"']
# Of arrays enough for any program: interleaved in DRAM, in pages of a tile.
ARRAYS = ",".join(["2,2048"] * 32)


def cores_of(kernel):
    """The cores that run a kernel of program.json."""
    return ["unpack", "math", "pack"] if kernel["engine"] == "compute" else [kernel["processor"]]


def firmware(core):
    return places.ttnn() / "tt_metal/hw/firmware/src/tt-1xx" / CORES[core][0]


def arguments(chip, kernel, core):
    """The runtime's options for a kernel on a core, but for files."""
    computes = kernel["engine"] == "compute"
    name, cpu, of_chip = CHIPS[chip]
    macros = [*MACROS, *of_chip, *CORES[core][1]]
    if not computes:
        macros += [f"NOC_INDEX={kernel['noc']}", "NOC_MODE=0", f"KERNEL_COMPILE_TIME_ARGS={ARRAYS}"]
    return [
        "-O3" if computes else "-O2",
        f"-mcpu={cpu}-tensix" if computes else f"-mcpu={cpu}",
        "-I.",
        *(f"-I{places.ttnn() / path}" for path in include_path(chip, name, computes)),
        *(f"-D{macro}" for macro in macros),
    ]


def link_arguments(chip, core, *files):
    """The runtime's options for linking, behind a firmware of a usual size."""
    image = CORES[core][2]
    script = places.ttnn() / f"runtime/hw/toolchain/{chip}/kernel_{image}.ld"
    # Wormhole's RISCV_1 is told to run from a memory of its own.
    start = ["wh-iram-start.o"] if (chip, image) == ("wormhole", "ncrisc") else []
    return ["-O2", "-nostartfiles", f"-mcpu={CHIPS[chip][1]}", f"-T{script}", "-Wl,-z,max-page-size=16",
            "-Wl,--defsym=__fw_export_text_end=0x8000,--defsym=__fw_export_ldm_end=0xffb00400",
            "-Wl,--unresolved-symbols=ignore-all", *(f"{places.ttnn()}/runtime/hw/lib/{chip}/{file}" for file in start),
            *files]


def include_path(chip, name, computes):
    hardware, kernels = "tt_metal/hw/inc/internal/tt-1xx", f"tt_metal/hw/ckernels/{name}/metal"
    llk = f"tt_metal/tt-llk/tt_llk_{name}"
    path = ["", "ttnn", "ttnn/cpp", "tt_metal/hw/inc", "tt_metal/tt-llk/common", "tt_metal/tt-llk/tools/include",
            "tt_metal/hostdevcommon/api", "tt_metal/api", "runtime/sfpi/include", f"{kernels}/common",
            f"{kernels}/llk_io", hardware, f"{hardware}/{chip}", f"{hardware}/{chip}/{name}_defines",
            f"{hardware}/{chip}/noc", f"{llk}/common/inc", f"{llk}/llk_lib", f"{llk}/llk_lib/hal"]
    if computes:
        path += [f"{kernels}/llk_api", f"{kernels}/llk_api/llk_sfpu"]
    return [*path, "tt_metal/hw/firmware/src/tt-1xx"]


def shared_files(kernel):
    """Files that the runtime writes for a kernel, by their names: those that are the
    same for kernels of the same settings."""
    return {"defines_generated.h": "#define NOC_MODE 0\n", "chlkc_descriptors.h": descriptors(kernel)}


def own_files(kernel, core, source):
    """The others: the frame of the kernel's source."""
    body = f'void kernel_main();\n#include "{source}"\n'
    if kernel["engine"] != "compute":
        return {"kernel_includes.hpp": body}
    return {f"chlkc_{core}.cpp": f'#define TRISC_{core.upper()}\n#include "defines_generated.h"\n{body}'}


def descriptors(kernel):
    """What a kernel is told of its buffers, all of bf16 here, and of its numbers."""
    lines = ["#pragma once", "#include <cstdint>"]
    if kernel["engine"] == "compute":
        fidelity = {"LoFi": 0, "HiFi2": 2, "HiFi3": 3, "HiFi4": 4}[kernel["fidelity"]]
        lines += ['#include "llk_defs.h"', "#define DST_SYNC_MODE DstSync::SyncHalf", "constexpr bool APPROX = false;",
                  f"constexpr auto MATH_FIDELITY = static_cast<ckernel::MathFidelity>({fidelity});",
                  f"constexpr bool DST_ACCUM_MODE = {int(kernel['fp32_dst'])};"]
    tables = {"src_format": 5, "dst_format": 5, "tile_num_faces": 4, "partial_face": 0, "tile_face_r_dim": 16,
              "narrow_tile": 0, "tile_r_dim": 32, "tile_c_dim": 32, "num_faces_r_dim": 2, "num_faces_c_dim": 2,
              "tile_size": 2048}
    for table, value in tables.items():
        for unit in ("unpack", "pack"):
            # The packer's formats have a type of their own.
            word = ("uint16_t" if table == "tile_size" else
                    "unsigned char" if unit == "pack" and table.endswith("format") else "uint8_t")
            lines.append(f"constexpr {word} {unit}_{table}[32] = {{{', '.join([str(value)] * 32)}}};")
    return "\n".join(lines) + "\n"


def prefix(kernel, core, headers):
    """The text of a header that holds what comes before kernels on a core, so that it
    is compiled once: the firmware's headers and the kernels' own."""
    # Up to the kernel's own file and the first branch, which depends on more.
    before = re.split(r"#if|#include .(?:kernel_includes|chlkc_list)", firmware(core).read_text())[0]
    before = re.findall(r"^#include .*\n", before, re.MULTILINE)
    if kernel["engine"] == "compute":
        before += ['#include "ckernel.h"\n', "using namespace ckernel;\n", f"#define TRISC_{core.upper()}\n",
                   '#include "chlkc_descriptors.h"\n']
    return "".join(before) + "".join(f'#include "{header}"\n' for header in sorted(headers))
