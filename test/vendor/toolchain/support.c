// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory functions that compiled code may call: no C library is linked.
typedef __SIZE_TYPE__ size_t;

void *memset(void *to, int value, size_t size) {
  unsigned char *byte = to;
  while (size--)
    *byte++ = (unsigned char)value;
  return to;
}

// Word by word where it can: L1 is slow to write by bytes.
void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  unsigned char *byte = to;
  const unsigned char *source = from;
  if ((((size_t)byte | (size_t)source) & 3) == 0)
    for (; size >= 4; size -= 4, byte += 4, source += 4)
      *(unsigned *)byte = *(const unsigned *)source;
  while (size--)
    *byte++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  unsigned char *byte = to;
  const unsigned char *source = from;
  if (byte < source)
    return memcpy(to, from, size);
  while (size--)
    byte[size] = source[size];
  return to;
}

int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  for (; size--; ++a, ++b)
    if (*a != *b)
      return *a - *b;
  return 0;
}

// The runtime's ELF loader refuses the address that ld gives to an empty data
// segment, so every image keeps one word.
__asm__(".section .data.drawloom,\"awR\",@progbits\n"
        ".p2align 2\n"
        ".word 0\n"
        ".text\n");
