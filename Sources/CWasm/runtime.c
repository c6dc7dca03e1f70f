// The other functions that the compilers call: copies and comparisons of bytes, random numbers, a multiplication.
#include "cwasm.h"
#include <wasm_simd128.h>

enum {
  LANES = sizeof(v128_t),
  // From this size on, the machine's own instruction is faster than a loop.
  BULK_BYTES = 512,
};

static v128_t load(const unsigned char *bytes) { return wasm_v128_load(bytes); }
static void store(unsigned char *bytes, v128_t lanes) { wasm_v128_store(bytes, lanes); }

// Copies up to 32 bytes, which may overlap: all loads come before the first store.
static void copy_short(unsigned char *to, const unsigned char *from, size_t count) {
  if (count >= LANES) {
    v128_t first = load(from), last = load(from + count - LANES);
    store(to, first);
    store(to + count - LANES, last);
  } else if (count >= 8) {
    uint64_t first, last;
    __builtin_memcpy_inline(&first, from, 8);
    __builtin_memcpy_inline(&last, from + count - 8, 8);
    __builtin_memcpy_inline(to, &first, 8);
    __builtin_memcpy_inline(to + count - 8, &last, 8);
  } else if (count >= 4) {
    uint32_t first, last;
    __builtin_memcpy_inline(&first, from, 4);
    __builtin_memcpy_inline(&last, from + count - 4, 4);
    __builtin_memcpy_inline(to, &first, 4);
    __builtin_memcpy_inline(to + count - 4, &last, 4);
  } else if (count > 0) {
    unsigned char first = from[0], middle = from[count / 2], last = from[count - 1];
    to[0] = first;
    to[count / 2] = middle;
    to[count - 1] = last;
  }
}

static void move(unsigned char *to, const unsigned char *from, size_t count) {
  asm volatile("local.get %0\n local.get %1\n local.get %2\n memory.copy 0, 0" : : "r"(to), "r"(from), "r"(count) : "memory");
}

void *memcpy(void *restrict target, const void *restrict source, size_t count) {
  unsigned char *to = target;
  const unsigned char *from = source;
  if (count <= 2 * LANES) {
    copy_short(to, from, count);
  } else if (count < BULK_BYTES) {
    v128_t last = load(from + count - LANES);
    for (size_t i = 0; i < count - LANES; i += LANES) store(to + i, load(from + i));
    store(to + count - LANES, last);
  } else {
    move(to, from, count);
  }
  return target;
}

void *memmove(void *target, const void *source, size_t count) {
  if (count <= 2 * LANES) {
    copy_short(target, source, count);
  } else {
    move(target, source, count);
  }
  return target;
}

void *memset(void *target, int byte, size_t count) {
  unsigned char *to = target;
  if (count < LANES) {
    while (count--) *to++ = (unsigned char)byte;
    return target;
  }
  v128_t lanes = wasm_i8x16_splat((int8_t)byte);
  for (size_t i = 0; i < count - LANES; i += LANES) store(to + i, lanes);
  store(to + count - LANES, lanes);
  return target;
}

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (; count >= LANES; a += LANES, b += LANES, count -= LANES)
    if (wasm_v128_any_true(wasm_v128_xor(load(a), load(b)))) break;
  for (; count--; a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

static uint64_t random_state;

void cwasm_seed(uint64_t seed) { random_state = seed; }

// SplitMix64 (Steele, Lea and Flood, 2014). The numbers are only seeds of hash tables.
static uint64_t next_random(void) {
  uint64_t z = random_state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

void arc4random_buf(void *target, size_t count) {
  unsigned char *to = target;
  while (count--) *to++ = (unsigned char)next_random();
}

typedef struct {
  uint64_t low, high;
} product;

// The product of two integers of 128 bits.
void __multi3(product *result, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high) {
  const uint64_t mask = UINT32_MAX;
  uint64_t low = (a & mask) * (b & mask), across = (a >> 32) * (b & mask) + (low >> 32);
  uint64_t other = (a & mask) * (b >> 32) + (across & mask);
  result->low = other << 32 | (low & mask);
  result->high = (a >> 32) * (b >> 32) + (across >> 32) + (other >> 32) + a * b_high + a_high * b;
}
