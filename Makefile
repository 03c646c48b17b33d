# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a person types. Each target stands on the ones before it.

.PHONY: setup packages venv build test vendor helion demo clean

setup: build

packages:
	scripts/install-packages

venv: packages
	scripts/make-venv

build: venv
	scripts/build

test: setup
	scripts/test

# The generated kernels on the vendor's own runtime, where its Python is at hand.
vendor:
	test/vendor/setup

# Helion's kernels, and Triton's on tensors. Apart from `test`, as torch is large.
helion: setup
	test/helion/setup
	.venv-helion/bin/python -m pytest --quiet test/helion
	.venv-helion/bin/python -m pytest --quiet test/python/test_tensors.py

demo: setup
	.venv/bin/drawloom run examples/triton/matmul.py --check -- --m 1024 --n 1024 --k 1024

clean:
	rm -rf build
