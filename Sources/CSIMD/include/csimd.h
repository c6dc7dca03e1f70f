// One-instruction wrappers of SSE2, NEON and WebAssembly's SIMD, since Swift shows none. No logic: each function is one intrinsic.
#ifndef CSIMD_H
#define CSIMD_H

#include <stdint.h>

#include "csimd_scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128i csimd_lanes;

static inline csimd_lanes csimd_load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }
static inline void csimd_store(uint8_t *bytes, csimd_lanes lanes) { _mm_storeu_si128((__m128i *)bytes, lanes); }
static inline csimd_lanes csimd_splat(uint8_t byte) { return _mm_set1_epi8((char)byte); }
static inline csimd_lanes csimd_equal(csimd_lanes a, csimd_lanes b) { return _mm_cmpeq_epi8(a, b); }
static inline csimd_lanes csimd_signed_less(csimd_lanes a, csimd_lanes b) { return _mm_cmplt_epi8(a, b); }
static inline csimd_lanes csimd_subtract(csimd_lanes a, csimd_lanes b) { return _mm_sub_epi8(a, b); }
static inline csimd_lanes csimd_minimum(csimd_lanes a, csimd_lanes b) { return _mm_min_epu8(a, b); }
static inline csimd_lanes csimd_or(csimd_lanes a, csimd_lanes b) { return _mm_or_si128(a, b); }
static inline csimd_lanes csimd_and(csimd_lanes a, csimd_lanes b) { return _mm_and_si128(a, b); }
// One bit a lane.
static inline uint64_t csimd_mask(csimd_lanes lanes) { return (uint64_t)(uint32_t)_mm_movemask_epi8(lanes); }
// SSE2 adds up eight lanes at a time.
static inline uint64_t csimd_sum(csimd_lanes lanes) {
  csimd_lanes halves = _mm_sad_epu8(lanes, _mm_setzero_si128());
  return (uint64_t)_mm_extract_epi16(halves, 0) + (uint64_t)_mm_extract_epi16(halves, 4);
}

#elif defined(__ARM_NEON)
#include <arm_neon.h>

typedef uint8x16_t csimd_lanes;

static inline csimd_lanes csimd_load(const uint8_t *bytes) { return vld1q_u8(bytes); }
static inline void csimd_store(uint8_t *bytes, csimd_lanes lanes) { vst1q_u8(bytes, lanes); }
static inline csimd_lanes csimd_splat(uint8_t byte) { return vdupq_n_u8(byte); }
static inline csimd_lanes csimd_equal(csimd_lanes a, csimd_lanes b) { return vceqq_u8(a, b); }
static inline csimd_lanes csimd_signed_less(csimd_lanes a, csimd_lanes b) {
  return vcltq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b));
}
static inline csimd_lanes csimd_subtract(csimd_lanes a, csimd_lanes b) { return vsubq_u8(a, b); }
static inline csimd_lanes csimd_minimum(csimd_lanes a, csimd_lanes b) { return vminq_u8(a, b); }
static inline csimd_lanes csimd_or(csimd_lanes a, csimd_lanes b) { return vorrq_u8(a, b); }
static inline csimd_lanes csimd_and(csimd_lanes a, csimd_lanes b) { return vandq_u8(a, b); }
// Four bits a lane: NEON has no movemask, and narrowing by four is its one-instruction counterpart.
static inline uint64_t csimd_mask(csimd_lanes lanes) {
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4)), 0);
}
static inline uint64_t csimd_sum(csimd_lanes lanes) { return vaddlvq_u8(lanes); }

#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>

typedef v128_t csimd_lanes;

static inline csimd_lanes csimd_load(const uint8_t *bytes) { return wasm_v128_load(bytes); }
static inline void csimd_store(uint8_t *bytes, csimd_lanes lanes) { wasm_v128_store(bytes, lanes); }
static inline csimd_lanes csimd_splat(uint8_t byte) { return wasm_u8x16_splat(byte); }
static inline csimd_lanes csimd_equal(csimd_lanes a, csimd_lanes b) { return wasm_i8x16_eq(a, b); }
static inline csimd_lanes csimd_signed_less(csimd_lanes a, csimd_lanes b) { return wasm_i8x16_lt(a, b); }
static inline csimd_lanes csimd_subtract(csimd_lanes a, csimd_lanes b) { return wasm_i8x16_sub(a, b); }
static inline csimd_lanes csimd_minimum(csimd_lanes a, csimd_lanes b) { return wasm_u8x16_min(a, b); }
static inline csimd_lanes csimd_or(csimd_lanes a, csimd_lanes b) { return wasm_v128_or(a, b); }
static inline csimd_lanes csimd_and(csimd_lanes a, csimd_lanes b) { return wasm_v128_and(a, b); }
// One bit a lane.
static inline uint64_t csimd_mask(csimd_lanes lanes) { return wasm_i8x16_bitmask(lanes); }
// Neighbours are added twice, and then there are four sums.
static inline uint64_t csimd_sum(csimd_lanes lanes) {
  csimd_lanes sums = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(lanes));
  return (uint64_t)wasm_u32x4_extract_lane(sums, 0) + wasm_u32x4_extract_lane(sums, 1)
      + wasm_u32x4_extract_lane(sums, 2) + wasm_u32x4_extract_lane(sums, 3);
}

#endif
#endif
