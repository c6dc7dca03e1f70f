#include "copy_text.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

static int has(unsigned word, unsigned bits) { return (word & bits) == bits; }

static enum csimd_vectors widest_vectors(void) {
  unsigned a, b, c1, d, b7, c7, c8, low, high;
  if (!__get_cpuid(1, &a, &b, &c1, &d) || !has(c1, bit_POPCNT | bit_OSXSAVE)) return CSIMD_SSE2;
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d) || !has(b7, bit_AVX2 | bit_BMI | bit_BMI2)) return CSIMD_SSE2;
  if (!__get_cpuid(0x80000001, &a, &b, &c8, &d) || !has(c8, bit_LZCNT)) return CSIMD_SSE2;
  // The system must save all parts of the wide registers.
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if (!has(low, 0x06)) return CSIMD_SSE2;
  int has_avx512 = has(low, 0xE6) && has(c1, bit_PCLMULQDQ) && has(b7, bit_AVX512F | bit_AVX512BW | bit_AVX512VL)
      && has(c7, bit_AVX512VBMI2);
  return has_avx512 ? CSIMD_AVX512 : CSIMD_AVX2;
}

static enum csimd_vectors vectors;

// Runs before the program's other code, so that nothing has to be initialized later, on any thread.
__attribute__((constructor)) static void choose_vectors(void) {
  const char *limit = getenv("CONVERT_SIMD");
  vectors = widest_vectors();
  if (limit && !strcmp(limit, "sse2")) vectors = CSIMD_SSE2;
  if (limit && !strcmp(limit, "avx2") && vectors == CSIMD_AVX512) vectors = CSIMD_AVX2;
}

enum csimd_vectors csimd_usable_vectors(void) { return vectors; }

size_t csimd_copy_text(const uint8_t *input, size_t count, uint8_t *output) {
  switch (vectors) {
  case CSIMD_SSE2: return 0;
  case CSIMD_AVX2: return csimd_copy_text_avx2(input, count, output);
  case CSIMD_AVX512: return csimd_copy_text_avx512(input, count, output);
  }
}

#endif
