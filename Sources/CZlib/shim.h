#include <zlib.h>

// A macro, which Swift does not see. 16 more than the window's bits asks for gzip's format.
static inline int footbridge_deflate_init_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
}
