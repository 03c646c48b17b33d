// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of Tenstorrent's lltt.h that the vendor's headers use: recording
// instructions into the replay buffer and replaying them (REPLAY, opcode 0x04).
#pragma once
#include <cstdint>

extern volatile std::uint32_t __instrn_buffer[];

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

inline __attribute__((always_inline)) constexpr std::uint32_t
replay_insn(unsigned start, unsigned length) {
  return (0x04u << 24) | (start << 14) | (length << 4);
}

// An instruction known when compiled is placed in the code; another goes
// through the instruction buffer.
inline __attribute__((always_inline)) void issue(std::uint32_t instruction) {
  if (__builtin_constant_p(instruction))
    __asm__ __volatile__(".ttinsn %0" ::"i"(instruction));
  else
    ::__instrn_buffer[0] = instruction;
}

template <ExecBool execute = NoExec>
inline __attribute__((always_inline)) void record(unsigned start,
                                                  unsigned length) {
  issue(replay_insn(start, length) | (unsigned(execute) << 1) | 1u);
}

inline __attribute__((always_inline)) void replay(unsigned start,
                                                  unsigned length) {
  issue(replay_insn(start, length));
}

} // namespace lltt
