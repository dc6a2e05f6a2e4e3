#ifndef FOOTBRIDGE_PLAIN_TEXT_H
#define FOOTBRIDGE_PLAIN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Swift compares its SIMD vectors byte by byte; with the C compiler's, a comparison is one instruction.
typedef int8_t footbridge_bytes __attribute__((vector_size(16)));
typedef uint64_t footbridge_words __attribute__((vector_size(16)));

/// Finds the first byte from `start` on that is a quotation mark, a backslash, a control character or not ASCII. Reads sixteen bytes at a
/// time; if there is no such byte, returns where fewer than sixteen are left. As signed numbers, non-ASCII bytes are below the space, too.
static inline ptrdiff_t footbridge_plain_text_end(const uint8_t *text, ptrdiff_t start, ptrdiff_t count) {
  for (ptrdiff_t index = start; ; index += 16) {
    if (count - index < 16) return index;
    footbridge_bytes bytes;
    memcpy(&bytes, text + index, sizeof bytes);
    footbridge_words others = (footbridge_words)((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The first byte is looked for as the lowest one."
#endif
    if (others[0]) return index + __builtin_ctzll(others[0]) / 8;
    if (others[1]) return index + 8 + __builtin_ctzll(others[1]) / 8;
  }
}

#endif
