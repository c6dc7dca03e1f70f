// One pass over JSON text that removes white space and checks all of it: tokens, and their order.
#ifndef CSIMD_SCAN_H
#define CSIMD_SCAN_H

#include <stddef.h>
#include <stdint.h>

enum {
  // The most bytes of a scan.
  CSIMD_SCAN_BYTES = 16384,
  // The bytes of room that the output needs beside those of the input.
  CSIMD_SCAN_SLACK = 128,
  // The most bytes a token at which scanning ASCII is faster than copying it token by token.
  CSIMD_SCAN_SPARSE = 30,
  // The most open containers before and after a scan: one bit of a word for each.
  CSIMD_SCAN_DEPTH = 62,
};

// What comes before a scan, and what comes before its end.
enum csimd_token { CSIMD_VALUE, CSIMD_COLON, CSIMD_COMMA, CSIMD_BRACE, CSIMD_BRACKET };

struct csimd_scan {
  // In and out: the number of open containers, and their kinds. The innermost one is the lowest bit, which is set for an object.
  uint64_t depth, kinds;
  // In and out: the last token. For a scan that begins after a comma of an array, this is CSIMD_COLON. At the end it is never a colon
  // or a comma.
  uint32_t last_token;
  // In: the limit for open containers, at most CSIMD_SCAN_DEPTH.
  uint32_t max_depth;
  // In: whether each value is on a line of its own. Line feeds between them are then like the commas of an array.
  uint32_t takes_lines;
  // Out: the offset of the last comma, closing bracket or line feed between values before which everything is valid; 0 if there is none, or
  // if the order of tokens, a number or a literal is wrong anywhere, or a number has more than 63 bytes. It is not taken itself.
  size_t end;
  // Out: the number of bytes that were written for those before `end`, and of line feeds between the tokens there.
  size_t written, line_feeds;
  // Out: whether tokens are so short, or so much of them is not ASCII, that the next bytes are worth a scan, too.
  uint32_t is_dense;
  // Out: the least number of open containers.
  uint64_t lowest_depth;
  // Out: for each depth from the lowest one on, the offset of the last key if an object is open there, or -1. If an array is open there,
  // the number of its commas. At depth 0, line feeds count as commas.
  int32_t keys[CSIMD_SCAN_DEPTH + 2], commas[CSIMD_SCAN_DEPTH + 2];
};

// The vectors of the baseline, and wider ones. AVX-512 is with VBMI2: from Ice Lake and Zen 4 on.
enum csimd_vectors { CSIMD_SSE2, CSIMD_AVX2, CSIMD_AVX512 };

// The widest vectors that this processor and system have, or narrower ones if the variable CONVERT_SIMD is `sse2` or `avx2`.
// `csimd_scan` and `csimd_is_dense` need AVX-512.
enum csimd_vectors csimd_usable_vectors(void);

// Whether `count` bytes are worth a scan, as eight samples show. Long strings of ASCII are copied faster than scanned.
int csimd_is_dense(const uint8_t *input, size_t count);

// Scans `count` bytes, at most CSIMD_SCAN_BYTES, which begin between two tokens. `output` has room for `count` bytes and CSIMD_SCAN_SLACK
// more; none of it counts if `end` is 0.
void csimd_scan(const uint8_t *input, size_t count, uint8_t *output, struct csimd_scan *scan);

// Copies text of a string. It begins between two characters, and ends before a quote, a backslash, a control, an invalid byte or a cut
// character. It has at most `count` bytes; a rest that is shorter than a block (32 or 64) may be left. Returns the number of bytes: with
// SSE2, 0. `output` has room for `count`.
size_t csimd_copy_text(const uint8_t *input, size_t count, uint8_t *output);

#endif
