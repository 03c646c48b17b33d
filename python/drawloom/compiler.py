# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's compiler plug-in: stops at TTIR, where Drawloom's own line begins."""
import dataclasses
import hashlib

from triton._C.libtriton import ir, passes
from triton.backends.compiler import BaseBackend, GPUTarget

# Some libraries use the target's name as a torch device string.
TARGET = GPUTarget("cpu", "drawloom", 1)


@dataclasses.dataclass(frozen=True)
class Options:
    """What Triton's front end reads while tracing, and what launches may pass.

    How a GPU schedules its threads means nothing here: those options are
    accepted, so that kernels run unchanged, and change no value.
    """
    # Read by the front end.
    debug: bool = False
    sanitize_overflow: bool = False
    arch: str = TARGET.arch
    backend_name: str = TARGET.backend
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e5", "fp8e4nv")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    # Scripts ask for these by name; the program's own policy is what is followed.
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    # Passed by Triton's launcher or by a kernel's configurations.
    num_warps: int = 4
    num_stages: int = 1
    num_ctas: int = 1
    warp_size: int = TARGET.warp_size
    maxnreg: int | None = None
    waves_per_eu: int = 0
    matrix_instr_nonkdim: int = 0
    kpack: int = 1
    enable_fp_fusion: bool = False
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    extern_libs: tuple | None = None
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    ir_override: str | None = None

    def hash(self) -> str:
        return hashlib.sha256(repr(self).encode()).hexdigest()


class Backend(BaseBackend):
    """TTIR with locations is the whole of what Triton compiles for us. It is our
    binary, too: what a launch gets."""
    binary_ext = "drawloom"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == TARGET.backend

    def hash(self) -> str:
        return "drawloom"

    def parse_options(self, options: dict) -> Options:
        known = {field.name for field in dataclasses.fields(Options)}
        return Options(**{name: value for name, value in options.items() if name in known})

    def get_codegen_implementation(self, options) -> dict:
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1), "convert_custom_types": None}

    def get_module_map(self) -> dict:
        from drawloom import libdevice  # kernels: Triton must be loaded by then
        names = "libdevice", "cuda.libdevice", "hip.libdevice"
        return {f"triton.language.extra.{name}": libdevice for name in names}

    def load_dialects(self, context) -> None:
        """TTIR's own dialects suffice."""

    def pack_metadata(self, metadata) -> tuple:
        return ()

    def add_stages(self, stages: dict, options, language) -> None:
        stages["ttir"] = _make_ttir
        stages["drawloom"] = lambda module, metadata: str(module)


def _make_ttir(module, metadata: dict):
    """One function, simplified, its loops as the author wrote them. Device
    descriptors stay: they say more about an access than pointers do."""
    manager = ir.pass_manager(module.context)
    passes.common.add_inliner(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.common.add_cse(manager)
    passes.common.add_symbol_dce(manager)
    manager.run(module, "make_ttir")
    metadata["name"] = module.get_entry_func_name()
    metadata["shared"] = 0
    return module
