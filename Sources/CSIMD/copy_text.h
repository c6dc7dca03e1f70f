// The copiers of text behind `csimd_copy_text`, for each kind of vectors.
#include "csimd_scan.h"

size_t csimd_copy_text_avx2(const uint8_t *input, size_t count, uint8_t *output);
size_t csimd_copy_text_avx512(const uint8_t *input, size_t count, uint8_t *output);
