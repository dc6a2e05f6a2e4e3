// echo: the bare echo server for comparison. It uses libwebsockets with its own listener and its default event loop, and writes each message as
// its own frame with one `lws_write`. With `libev` as its second argument, it waits with libev instead.

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  struct message *next;
  size_t length;
  unsigned char bytes[]; // LWS_PRE, then the payload
};

struct session {
  struct message *first, *last;
  unsigned char *fragments;
  size_t fragment_length;
};

static int receive(struct lws *connection, struct session *session, const void *input, size_t length) {
  int is_complete = lws_is_final_fragment(connection) && !lws_remaining_packet_payload(connection);
  if (!is_complete || session->fragment_length > 0) {
    unsigned char *fragments = realloc(session->fragments, session->fragment_length + length);
    if (!fragments) return -1;
    memcpy(fragments + session->fragment_length, input, length);
    session->fragments = fragments;
    session->fragment_length += length;
    if (!is_complete) return 0;
    input = fragments;
    length = session->fragment_length;
    session->fragment_length = 0;
  }
  struct message *message = malloc(sizeof *message + LWS_PRE + length);
  if (!message) return -1;
  message->next = NULL;
  message->length = length;
  memcpy(message->bytes + LWS_PRE, input, length);
  if (session->first) {
    session->last->next = message;
  } else {
    session->first = message;
    lws_callback_on_writable(connection);
  }
  session->last = message;
  return 0;
}

static struct message *take(struct session *session) {
  struct message *message = session->first;
  session->first = message->next;
  return message;
}

static int send_all(struct lws *connection, struct session *session) {
  while (session->first && !lws_partial_buffered(connection)) {
    struct message *message = take(session);
    int count = lws_write(connection, message->bytes + LWS_PRE, message->length, LWS_WRITE_TEXT);
    free(message);
    if (count < 0) return -1;
  }
  if (session->first) lws_callback_on_writable(connection);
  return 0;
}

static int callback(struct lws *connection, enum lws_callback_reasons reason, void *user, void *input, size_t length) {
  struct session *session = user;
  switch (reason) {
  case LWS_CALLBACK_ESTABLISHED: memset(session, 0, sizeof *session); break;
  case LWS_CALLBACK_RECEIVE: return receive(connection, session, input, length);
  case LWS_CALLBACK_SERVER_WRITEABLE: return send_all(connection, session);
  case LWS_CALLBACK_CLOSED:
    while (session->first) free(take(session));
    free(session->fragments);
    break;
  default: break;
  }
  return 0;
}

int main(int count, char **arguments) {
  bool is_libev = count == 3 && !strcmp(arguments[2], "libev");
  if (count != 2 && !is_libev) {
    fputs("usage: echo PORT [libev]\n", stderr);
    return 64;
  }
  static const struct lws_protocols protocols[] = {{"bridge", callback, sizeof(struct session), 65536}, {0}};
  struct lws_context_creation_info info = {.port = atoi(arguments[1]), .iface = "127.0.0.1", .protocols = protocols};
  if (is_libev) info.options |= LWS_SERVER_OPTION_LIBEV;
  lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
  struct lws_context *context = lws_create_context(&info);
  if (!context) return 69;
  puts("echo: ready");
  fflush(stdout);
  while (lws_service(context, 0) >= 0) continue;
  return 0;
}
