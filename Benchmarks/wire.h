// What the clients of the benchmarks share: requests, and frames of WebSockets (RFC 6455, section 5.2).

#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REQUEST_LIMIT = 60000, FRAME_HEADER = 8, ID_LENGTH = 36 };

/// A request. It contains the correlation id 00000000-0000-4000-8000-000000000000, and gets another one each time that it is sent.
struct request {
  char text[REQUEST_LIMIT];
  size_t length, id_offset;
};

static inline void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

/// The time in nanoseconds.
static inline uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static inline void read_request(struct request *request, const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) fail("%s: %s", name, strerror(errno));
  request->length = fread(request->text, 1, sizeof request->text, file);
  fclose(file);
  char *id = memmem(request->text, request->length, "00000000-0000-4000-8000-000000000000", ID_LENGTH);
  if (!id || request->length == sizeof request->text) fail("the request has no correlation id, or is too long");
  request->id_offset = id - request->text;
}

/// Writes a correlation id: its last twelve digits count up; its first eight are spread, as in real ids.
static inline void write_id(char *text, uint64_t id) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 12; i++) text[35 - i] = digits[(id >> 4 * i) & 15];
  for (int i = 0; i < 8; i++) text[7 - i] = digits[((id * 2654435761u) >> 4 * i) & 15];
}

/// Writes a text as one masked frame, and returns the frame's length.
static inline size_t write_frame(uint8_t *frame, const char *text, size_t length, uint32_t mask) {
  size_t header = 2;
  frame[0] = 0x81;
  if (length < 126) {
    frame[1] = 0x80 | length;
  } else {
    frame[1] = 0x80 | 126;
    frame[2] = length >> 8;
    frame[3] = length & 0xFF;
    header = 4;
  }
  memcpy(frame + header, &mask, 4);
  uint8_t *payload = frame + header + 4;
  for (size_t i = 0; i < length; i++) payload[i] = text[i] ^ ((uint8_t *)&mask)[i & 3];
  return header + 4 + length;
}

/// Writes a request with this correlation id as one frame, and returns the frame's length.
static inline size_t write_request(uint8_t *frame, struct request *request, uint64_t id) {
  write_id(request->text + request->id_offset, id);
  return write_frame(frame, request->text, request->length, 0x9d2c5681u ^ (uint32_t)(id * 2246822519u));
}

/// Returns the length of the frame that begins at `frame`, and that of its header; 0 if the frame is not complete.
static inline size_t frame_length(const uint8_t *frame, size_t count, size_t *header) {
  if (count < 2) return 0;
  uint64_t length = frame[1] & 0x7F;
  *header = 2 + (length == 126 ? 2 : length == 127 ? 8 : 0);
  if (count < *header) return 0;
  if (*header > 2) {
    length = 0;
    for (size_t i = 2; i < *header; i++) length = length << 8 | frame[i];
  }
  return count < *header + length ? 0 : *header + length;
}

/// Whether a message has the correlation id with this number.
static inline int has_id(const uint8_t *message, size_t length, uint64_t number) {
  char id[] = "00000000-0000-4000-8000-000000000000";
  write_id(id, number);
  return memmem(message, length, id, ID_LENGTH) != NULL;
}

/// Writes the request with which a WebSocket begins; the page and its session have this number, unless it is 0.
static inline int write_opening(char *head, size_t room, int port, const char *path, const char *subprotocol, unsigned number) {
  char page[64] = "", cookie[96] = "", protocol[96] = "";
  if (number) {
    snprintf(page, sizeof page, "?page=%032x", number);
    snprintf(cookie, sizeof cookie, "Cookie: footbridge_session=%032x\r\n", number);
  }
  if (subprotocol) snprintf(protocol, sizeof protocol, "Sec-WebSocket-Protocol: %s\r\n", subprotocol);
  return snprintf(head, room,
                  "GET %s%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n%s%s"
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                  path, page, port, port, cookie, protocol);
}

/// Reads ports that are separated by commas, and returns how many there are.
static inline int read_ports(const char *text, int *ports, int most) {
  int count = 0;
  for (char *end; count < most && *text; text = *end == ',' ? end + 1 : end) {
    ports[count++] = strtol(text, &end, 10);
    if (end == text || ports[count - 1] <= 0) return 0;
  }
  return count;
}
