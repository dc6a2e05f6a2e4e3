#ifndef FOOTBRIDGE_CLIBWEBSOCKETS_SHIM_H
#define FOOTBRIDGE_CLIBWEBSOCKETS_SHIM_H

// The parts of libwebsockets that Swift cannot import: macros, and the union in the adoption structs.

#include <libwebsockets.h>
#include <string.h>

/// LWS_PRE: how many bytes before a payload the caller must provide.
static inline size_t footbridge_lws_pre(void) { return LWS_PRE; }

/// The options of the context and of every virtual host.
static inline uint64_t footbridge_lws_context_options(void) {
  return LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
}

/// The additional option of a context that runs in libev's loop.
static inline uint64_t footbridge_lws_libev_option(void) { return LWS_SERVER_OPTION_LIBEV; }

/// Makes the loop watch a descriptor without reading from it. On failure, the descriptor is closed.
static inline struct lws *footbridge_lws_adopt_file(struct lws_vhost *vhost, int descriptor, const char *protocol,
                                                    void *opaque) {
  lws_adopt_desc_t info;
  memset(&info, 0, sizeof info);
  info.vh = vhost;
  info.type = LWS_ADOPT_RAW_FILE_DESC;
  info.fd.filefd = descriptor;
  info.vh_prot_name = protocol;
  info.opaque = opaque;
  return lws_adopt_descriptor_vhost_via_info(&info);
}

/// Sends bytes unchanged. They include the frame headers.
static inline int footbridge_lws_write_raw(struct lws *wsi, unsigned char *bytes, size_t count) {
  return lws_write(wsi, bytes, count, LWS_WRITE_RAW);
}

/// Closes a connection at the loop's next turn. May be called from anywhere on the loop's thread.
static inline void footbridge_lws_close_soon(struct lws *wsi) {
  lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  // libev's plugin handles timeouts only after an event.
  lws_cancel_service(lws_get_context(wsi));
}

#endif
