// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .ttinsn directive: a Tensix instruction is stored rotated left by two
// bits, which makes its low bits an unused RISC-V encoding.
__asm__(".macro .ttinsn instruction\n"
        ".4byte (((\\instruction) << 2) & 0xffffffff) | (((\\instruction) >> 30) & 3)\n"
        ".endm\n");
