// The system's zlib, with functions in place of the macros that Swift cannot call. No logic.
#ifndef CZLIB_H
#define CZLIB_H
// Input is never written to.
#define ZLIB_CONST
#include <zlib.h>

static inline int czlib_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

static inline int czlib_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
#endif
