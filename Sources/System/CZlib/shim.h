#include <zlib.h>

// A macro, which Swift cannot import. Adding 16 to the window bits selects the gzip format.
static inline int footbridge_deflate_init_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
}

// A macro, too. Window bits of 31 select the gzip format, 15 the zlib format, -15 the bare deflate format.
static inline int footbridge_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
