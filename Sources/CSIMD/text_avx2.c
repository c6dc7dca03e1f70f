#include "copy_text.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Blocks of 32 bytes. All comparisons return one bit for each byte, the first one lowest.

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))), apply_to = function)

typedef __m256i block;

static inline block load(const uint8_t *address) { return _mm256_loadu_si256((const __m256i *)address); }
static inline void store(uint8_t *address, block a) { _mm256_storeu_si256((__m256i *)address, a); }
static inline block splat(uint8_t byte) { return _mm256_set1_epi8((char)byte); }
#define table(...) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const uint8_t[16]){__VA_ARGS__}))
static inline block lookup(block table, block nibbles) { return _mm256_shuffle_epi8(table, nibbles); }
static inline block low_nibbles(block a) { return _mm256_and_si256(a, splat(15)); }
static inline block high_nibbles(block a) { return _mm256_and_si256(_mm256_srli_epi16(a, 4), splat(15)); }
static inline block and_blocks(block a, block b) { return _mm256_and_si256(a, b); }
static inline block or_blocks(block a, block b) { return _mm256_or_si256(a, b); }
static inline block xor_blocks(block a, block b) { return _mm256_xor_si256(a, b); }
static inline block subtract_saturating(block a, uint8_t byte) { return _mm256_subs_epu8(a, splat(byte)); }
static inline uint64_t bits(block a) { return (uint32_t)_mm256_movemask_epi8(a); }
static inline uint64_t nonzero_bytes(block a) { return bits(_mm256_cmpeq_epi8(a, splat(0))) ^ UINT32_MAX; }
static inline uint64_t text_stops(block a) {
  block controls = _mm256_cmpeq_epi8(_mm256_min_epu8(a, splat(0x1F)), a);
  block quotes = _mm256_cmpeq_epi8(a, splat('"')), backslashes = _mm256_cmpeq_epi8(a, splat('\\'));
  return bits(or_blocks(controls, or_blocks(quotes, backslashes)));
}
// The block that begins `distance` bytes earlier.
#define earlier(bytes, before, distance) \
  _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(before, bytes, 0x21), 16 - (distance))

#include "text.h"

size_t csimd_copy_text_avx2(const uint8_t *input, size_t count, uint8_t *output) { return copy_text(input, count, output); }

#pragma clang attribute pop

#endif
