# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Triton scripts do around their kernels works as it does on a GPU."""
import math

import numpy as np
import pytest
import triton
from drawloom import array
from kernels import elementwise, products, scripts
from kernels.line import F32, assert_near, asking, normal, wide, zeros


def test_a_grid_may_be_a_function_a_number_of_axes_or_keywords():
    x, y = normal(0, 3000, dtype=F32), zeros(3000, dtype=F32)
    for grid in (lambda meta: (triton.cdiv(3000, meta["BLOCK"]), ), (3, ), [3], (3, 1), (3, 1, 1)):
        y[:] = 0
        scripts.scale_kernel[grid](x, y, n=3000, BLOCK=1024)
        assert_near(y, 2 * wide(x), 1e-6)


def test_defaults_and_helpers():
    x, y = normal(0, 2000, dtype=F32), zeros(2000, dtype=F32)
    scripts.scale_kernel[(2, )](x, y, 2000)
    assert_near(y, 2 * wide(x), 1e-6)
    scripts.scale_kernel[(2, )](x, y, 2000, factor=1.0, ACTIVATION="leaky")
    assert_near(y, np.where(wide(x) > 0, wide(x), wide(x) / 4), 1e-6)
    scripts.scale_kernel[(2, )](x, y, 2000, 1.0, "tanh")
    assert_near(y, np.tanh(wide(x)))


def test_constants_from_a_dictionary():
    x, y = normal(0, 2000, dtype=F32), zeros(2000, dtype=F32)
    config = {"BLOCK": 512, "ACTIVATION": "none", "num_warps": 8, "num_stages": 3}
    scripts.scale_kernel[lambda meta: (triton.cdiv(2000, meta["BLOCK"]), )](x, y, 2000, **config)
    assert_near(y, 2 * wide(x), 1e-6)


def test_tuples():
    x, y = normal(0, 50, 60, dtype=F32), zeros(50, 60, dtype=F32)
    scripts.tuple_kernel[(2, )]((x, y), (50, 60), SHAPE=(32, 64))
    assert_near(y, wide(x) + 1, 1e-6)


@pytest.mark.parametrize("n, sign", [(2048, 1), (2000, -1)])
def test_heuristics(n, sign):
    x, y = normal(0, n, dtype=F32), zeros(n, dtype=F32)
    scripts.reversed_kernel[(2, )](x, y, n, BLOCK=1024)
    assert_near(y, sign * wide(x), 1e-6)


def tuned(**how):
    """A matrix product with configurations, fresh ones each time."""
    configs = [triton.Config({"BM": 32, "BN": 32, "BK": 32}), triton.Config({"BM": 64, "BN": 64, "BK": 64}, num_warps=8),
               triton.Config({"BM": 128, "BN": 64, "BK": 32}, num_stages=4)]
    return triton.autotune(configs, key=["M", "N", "K"], **how)(products.product)


def multiply(kernel, size):
    """A checked product of square matrices; the configuration that was chosen."""
    a, b, c = normal(0, size, size), normal(1, size, size), zeros(size, size)
    kernel[lambda meta: (triton.cdiv(size, meta["BM"]), triton.cdiv(size, meta["BN"]))](
        a, b, c, size, size, size, *a.stride(), *b.stride(), *c.stride())
    assert_near(c, wide(a) @ wide(b))
    return kernel.best_config


def test_the_autotuner_takes_the_fastest_in_simulated_time():
    kernel = tuned()
    best = multiply(kernel, 256)
    times = {config: timing[0] for config, timing in kernel.configs_timings.items()}
    assert len(times) == 3 and len(set(times.values())) == 3
    assert times[best] == min(times.values()) > 0
    # Milliseconds: a product of 256 cubed takes microseconds.
    assert 0.001 < times[best] < 1


def test_each_key_is_tuned_once():
    kernel = tuned()
    for size in (64, 256, 64):
        multiply(kernel, size)
    assert len(kernel.cache) == 2


def test_configurations_may_be_pruned():
    asked = []

    def early(configs, arguments, **_):
        asked.append(arguments["M"])
        return [config for config in configs if config.kwargs["BM"] <= 64]

    assert multiply(tuned(prune_configs_by={"early_config_prune": early}), 128).kwargs["BM"] <= 64
    assert asked == [128]

    def model(BM, **_):
        return -BM  # the largest block promises the least time

    best = multiply(tuned(prune_configs_by={"perf_model": model, "top_k": 1}), 128)
    assert best.kwargs["BM"] == 128


def test_tuned_heuristics():
    configs = [triton.Config({"BLOCK": block}) for block in (512, 1024)]
    kernel = triton.autotune(configs, key=["n"])(scripts.reversed_kernel)
    x, y = normal(0, 2000, dtype=F32), zeros(2000, dtype=F32)
    kernel[lambda meta: (triton.cdiv(2000, meta["BLOCK"]), )](x, y, 2000)
    assert_near(y, -wide(x), 1e-6)


def add(n):
    x, y, z = normal(0, n), normal(1, n), zeros(n)
    return x, y, z, lambda: elementwise.add[(triton.cdiv(n, 1024), )](x, y, z, n, BLOCK=1024)


def test_do_bench_times_one_launch():
    x, y, z, launch = add(100_000)
    launches = []

    def run():
        launches.append(1)
        launch()

    milliseconds = triton.testing.do_bench(run)
    assert 0.003 < milliseconds < 0.1
    assert len(launches) < 10
    assert_near(z, wide(x) + wide(y))
    # A time is simulated: it is the same each time, and that of both launches where there are two.
    assert triton.testing.do_bench(run, warmup=1000, rep=1000) == milliseconds
    assert triton.testing.do_bench(lambda: (launch(), launch())) == pytest.approx(2 * milliseconds)


@pytest.mark.parametrize("how, expected", [
    ({"quantiles": [0.5, 0.2, 0.8]}, 3), ({"return_mode": "median"}, None), ({"return_mode": "min"}, None),
    ({"return_mode": "all"}, 1),
])
def test_do_bench_in_all_its_forms(how, expected):
    launch = add(5000)[-1]
    result = triton.testing.do_bench(launch, **how)
    assert result == (triton.testing.do_bench(launch) if expected is None else [triton.testing.do_bench(launch)] * expected)


def test_do_bench_of_what_launches_nothing():
    with pytest.raises(RuntimeError, match="launched no kernel"):
        triton.testing.do_bench(lambda: None)


def test_an_autotuner_of_the_old_form_measures_the_same():
    with pytest.warns(DeprecationWarning):
        kernel = tuned(warmup=5, rep=10)
    multiply(kernel, 128)
    assert kernel.configs_timings[kernel.best_config][0] > 0


LIBRARY = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": np.vectorize(math.erf), "abs": np.abs, "tanh": np.tanh, "fast_expf": np.exp, "rcp_rn": lambda x: 1 / x,
    "exp10": lambda x: 10**x, "log10": np.log10, "erfc": np.vectorize(math.erfc), "log1p": np.log1p, "atanh": np.arctanh,
    "asin": np.arcsin, "acos": np.arccos, "acosh": np.arccosh
}
SIGNED = {
    "expm1": np.expm1, "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "atan": np.arctan, "cbrt": np.cbrt,
    "rint": np.rint, "nearbyint": np.rint, "trunc": np.trunc,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "normcdf": np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))
}
PAIRS = {
    "pow": np.power, "atan2": np.arctan2, "fmod": np.fmod, "hypot": np.hypot, "copysign": np.copysign,
    "fdim": lambda x, y: np.maximum(x - y, 0)
}


@pytest.mark.parametrize("function", LIBRARY)
def test_libdevice(function):
    low, high = {"atanh": (-0.9, 0.9), "asin": (-1, 1), "acos": (-1, 1), "acosh": (1.1, 4)}.get(function, (0.1, 2))
    x = array(np.random.default_rng(0).uniform(low, high, 1000), np.float32)
    y = zeros(1000, dtype=F32)
    scripts.library_kernel[(1, )](x, y, 1000, FUNCTION=function, BLOCK=1024)
    assert_near(y, LIBRARY[function](wide(x)), 2**-8)


@pytest.mark.parametrize("function", SIGNED)
def test_libdevice_of_both_signs(function):
    """Halves, small numbers and large ones among them, each to a relative error."""
    chance = np.random.default_rng(0)
    x = np.concatenate([np.arange(-20, 20) / 2, chance.uniform(-4, 4, 500), 1e-4 * chance.uniform(-1, 1, 300)])
    y = zeros(x.size, dtype=F32)
    x = array(x, np.float32)
    scripts.library_kernel[(1, )](x, y, x.size, FUNCTION=function, BLOCK=1024)
    np.testing.assert_allclose(wide(y), SIGNED[function](wide(x)), rtol=2e-4, atol=1e-7)


@pytest.mark.parametrize("function", PAIRS)
def test_libdevice_of_two(function):
    chance = np.random.default_rng(0)
    a, b = chance.uniform(-3, 3, 600), chance.uniform(-3, 3, 600)
    if function == "pow":  # whole exponents wherever the base is negative, and zero
        b = np.where((a < 0) | (chance.random(600) < 0.1), np.round(b), b)
    a, b, y = array(a, np.float32), array(b, np.float32), zeros(600, dtype=F32)
    scripts.library_kernel_of_two[(1, )](a, b, y, 600, FUNCTION=function, BLOCK=1024)
    np.testing.assert_allclose(wide(y), PAIRS[function](wide(a), wide(b)), rtol=2e-4, atol=1e-6)


def test_a_power_by_a_number():
    x, y = array(np.random.default_rng(0).uniform(-2, 2, 500), np.float32), zeros(500, dtype=F32)
    scripts.cube_kernel[(1, )](x, y, 500, BLOCK=512)
    np.testing.assert_allclose(wide(y), wide(x)**3, rtol=1e-4)


def test_a_library_function_that_is_missing():
    x = zeros(1000, dtype=F32)
    with pytest.raises(triton.CompilationError, match="no libdevice.j0; write it with tl's own functions"):
        scripts.library_kernel[(1, )](x, x, 1000, FUNCTION="j0", BLOCK=1024)


def test_a_kernel_is_compiled_ahead_of_its_launch():
    """`warmup` traces; `run` without a launch is how libraries inspect a kernel."""
    x = zeros(1000, dtype=F32)
    compiled = scripts.scale_kernel.warmup(x, x, 1000, grid=(1, ))
    assert "tt.load" in compiled.asm["ttir"]
    handle = scripts.scale_kernel[(1, )](x, x, 1000)
    assert handle.metadata.name == "scale_kernel"


def test_hooks_see_each_launch():
    x, seen = zeros(1000, dtype=F32), []
    triton.knobs.runtime.launch_enter_hook.add(lambda data: seen.append(data.get()["name"]))
    try:
        scripts.scale_kernel[(1, )](x, x, 1000)
    finally:
        triton.knobs.runtime.launch_enter_hook.calls.clear()
    assert seen == ["scale_kernel"]


def test_plan_measures_without_running():
    x, y, z, launch = add(5000)
    with asking(command="plan"):
        assert triton.testing.do_bench(launch) > 0
    assert not z.any()

