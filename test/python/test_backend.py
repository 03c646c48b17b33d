# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton plug-in: what a launch hands to the compiled module."""
import re
import sys
from pathlib import Path

import drawloom
import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor

SOURCE_LINES = Path(__file__).read_text().split("\n")


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, stride, factor, flag, BLOCK: tl.constexpr, NAME: tl.constexpr = "plain"):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets * stride, mask=offsets < n, other=0.0)  # the load
    tl.store(y_ptr + offsets, x * factor, mask=offsets < n)


def vector(n=64, dtype=np.float32):
    return drawloom.array(np.zeros(n, dtype))


def launch_scale(x, y, stride=1, grid=(2, )):
    scale_kernel[grid](x, y, 50, stride, 2.5, True, BLOCK=32)


def test_arguments_arrive_by_name(native):
    x, y = vector(), vector()
    launch_scale(x, y)
    (call, ) = native.calls
    assert call.kernel == "scale_kernel" and call.grid == (2, 1, 1)
    assert call.arguments == [
        ("x_ptr", "*fp32", x.data_ptr(), x.data_ptr(), x.data_ptr() + 256, True),
        ("y_ptr", "*fp32", y.data_ptr(), y.data_ptr(), y.data_ptr() + 256, True),
        ("n", "i32", 50),
        ("stride", "constexpr", 1),
        ("factor", "fp32", 2.5),
        ("flag", "u1", 1),
        ("BLOCK", "constexpr", 32),
        ("NAME", "constexpr", "plain"),
    ]


def test_each_launch_is_emitted_to_its_own_directory(native, asked, tmp_path):
    asked(command="emit", emit=str(tmp_path))
    launch_scale(vector(), vector())
    launch_scale(vector(), vector())
    assert [call.options["emit"] for call in native.calls] == [str(tmp_path), f"{tmp_path}/2-scale_kernel"]


def test_ttir_names_the_line_of_each_operation(native):
    launch_scale(vector(), vector())
    ttir = native.calls[0].ttir
    load = re.search(r"tt\.load .* loc\((#loc\d+)\)", ttir)
    named = re.search(rf'^{load[1]} = loc\("x"\((#loc\d+)\)\)', ttir, re.MULTILINE)
    place = re.search(rf'^{named[1]} = loc\("(.*)":(\d+):(\d+)\)', ttir, re.MULTILINE)
    assert place[1] == __file__
    assert SOURCE_LINES[int(place[2]) - 1].endswith("# the load")
    assert SOURCE_LINES[int(place[2]) - 1][int(place[3]) - 1:].startswith("tl.load(")


def test_a_function_is_traced_once_a_specialisation(native):
    for _ in range(3):
        launch_scale(vector(), vector())
    launch_scale(vector(), vector(), stride=2)
    assert native.calls[0].ttir == native.calls[2].ttir != native.calls[3].ttir
    assert ("stride", "i32", 2) in native.calls[3].arguments


def test_an_empty_grid_launches_nothing(native):
    launch_scale(vector(), vector(), grid=(0, ))
    assert native.calls == []


def test_a_view_is_its_own_argument(native):
    x = vector(128)
    launch_scale(x[::2], vector(), stride=2)
    assert native.calls[0].arguments[0] == ("x_ptr", "*fp32", x.data_ptr(), x.data_ptr(), x.data_ptr() + 127 * 4, True)


def test_options_of_gpu_schedules_change_nothing(native):
    x, y = vector(), vector()
    launch_scale(x, y)
    scale_kernel[(2, )](x, y, 50, 1, 2.5, True, BLOCK=32, num_warps=8, num_stages=3, waves_per_eu=2)
    assert native.calls[0].ttir == native.calls[1].ttir


def test_a_refusal_names_the_line(native):

    def refuse(call):
        line = 1 + next(i for i, text in enumerate(SOURCE_LINES) if text.endswith("# the load"))
        raise native.CompileError(f"{__file__}:{line}:9: error: not affine")

    native.answer = refuse
    with pytest.raises(drawloom.CompileError) as caught:
        launch_scale(vector(), vector())
    assert str(caught.value).split("\n")[1].endswith("# the load")
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@triton.jit
def tuple_kernel(pointers, sizes, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(pointers[1] + offsets, tl.load(pointers[0] + offsets, mask=offsets < sizes[0]), mask=offsets < sizes[1])


def test_tuples_give_one_argument_a_member(native):
    x, y = vector(), vector()
    tuple_kernel[(1, )]((x, y), (5, 1), BLOCK=32)
    assert [(argument[0], argument[1]) for argument in native.calls[0].arguments] == [
        ("pointers.0", "*fp32"), ("pointers.1", "*fp32"), ("sizes.0", "i32"), ("sizes.1", "constexpr"),
        ("BLOCK", "constexpr")
    ]


@triton.jit
def descriptor_kernel(source, out_ptr, n):
    block = source.load([0, 0])
    made = tl.make_tensor_descriptor(out_ptr, shape=[n, 32], strides=[32, 1], block_shape=[16, 32])
    made.store([0, 0], block)


def test_descriptors_stay_descriptors(native):
    x, y = (drawloom.array(np.zeros((16, 32), ml_dtypes.bfloat16)) for _ in range(2))
    descriptor_kernel[(1, )](TensorDescriptor(x, [16, 32], [32, 1], [16, 32]), y, 16)
    (call, ) = native.calls
    start = x.data_ptr()
    assert call.arguments[:5] == [
        ("source", "tensordesc<bf16[16, 32]>", start, start, start + 1024, True, "zero"),
        ("source.shape.0", "i32", 16),
        ("source.shape.1", "i32", 32),
        ("source.stride.0", "i64", 32),
        ("source.stride.1", "i64", 1),
    ]
    assert all(f"%{argument[0]}:" in call.ttir for argument in call.arguments)
    for operation in ("tt.descriptor_load", "tt.make_tensor_descriptor", "tt.descriptor_store"):
        assert operation in call.ttir


@triton.jit
def libdevice_kernel(x_ptr):
    offsets = tl.arange(0, 32)
    tl.store(x_ptr + offsets, libdevice.tanh(libdevice.exp2(tl.load(x_ptr + offsets))))


def test_libdevice_traces_to_arithmetic_and_known_symbols(native):
    libdevice_kernel[(1, )](vector())
    assert "math.exp2" in native.calls[0].ttir and 'symbol = "tanh"' in native.calls[0].ttir


def tuned(blocks, **how):
    """The kernel with one configuration a block size."""
    configs = [triton.Config({"BLOCK": block}) for block in blocks]
    return triton.autotune(configs, key=["n"], **how)(scale_kernel)


def test_the_autotuner_measures_simulated_time(native, capsys):
    times = {16: 30.0, 32: 10.0, 64: 20.0}
    native.answer = lambda call: {"simulated_us": times[dict(a[:1] + a[-1:] for a in call.arguments)["BLOCK"]]}
    kernel = tuned(times)
    kernel[lambda meta: (triton.cdiv(50, meta["BLOCK"]), )](vector(), vector(), 50, 1, 2.5, True)
    assert kernel.best_config.kwargs == {"BLOCK": 32}
    # Measuring touches no array; the launch itself does.
    assert [call.options.get("timing_only", False) for call in native.calls] == [True, True, True, False]
    assert capsys.readouterr().out == ""


def test_the_autotuner_measures_alike_under_every_command(native, asked):
    asked(command="emit", output="kernels", check=True)
    tuned([16, 32])[(4, )](vector(), vector(), 50, 1, 2.5, True)
    assert [call.options["command"] for call in native.calls] == ["run", "run", "emit"]
    assert not native.calls[0].options["check"]


def test_the_autotuner_may_reset_and_restore_arrays(native):
    x, y = vector(), vector()
    x[:], y[:] = 1, 2
    tuned([16, 32], restore_value=["x_ptr"], reset_to_zero=["y_ptr"])[(4, )](x, y, 50, 1, 2.5, True)
    assert (x == 1).all() and (y == 0).all()


def test_the_autotuner_passes_over_refused_configurations(native):

    def answer(call):
        if ("BLOCK", "constexpr", 16) in call.arguments:
            raise native.CompileError("k.py:1:1: error: too small")
        return {}

    native.answer = answer
    kernel = tuned([16, 32])
    kernel[(4, )](vector(), vector(), 50, 1, 2.5, True)
    assert kernel.best_config.kwargs == {"BLOCK": 32}


def test_without_the_compiled_module_the_launch_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "drawloom._native", None)
    with pytest.raises(RuntimeError, match="make build"):
        launch_scale(vector(), vector())
