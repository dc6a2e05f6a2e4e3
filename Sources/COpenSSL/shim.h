#ifndef FOOTBRIDGE_COPENSSL_SHIM_H
#define FOOTBRIDGE_COPENSSL_SHIM_H

// What of OpenSSL Swift cannot import by itself: macros, and callbacks whose types differ between versions.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

/// What every context has: TLS 1.2 at least, no renegotiation, no sessions in memory, buffers that idle connections do not hold.
static inline void footbridge_ssl_ctx_set_up(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// The one protocol that is offered and taken (RFC 7301), as ALPN has it on the wire.
static const unsigned char footbridge_alpn[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

static inline int footbridge_select_alpn(SSL *ssl, const unsigned char **selected, unsigned char *length,
                                         const unsigned char *offered, unsigned int offered_length, void *argument) {
  (void)ssl;
  (void)argument;
  unsigned char *choice;
  if (SSL_select_next_proto(&choice, length, footbridge_alpn, sizeof footbridge_alpn, offered, offered_length) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *selected = choice;
  return SSL_TLSEXT_ERR_OK;
}

/// Has a server take HTTP/1.1 alone. A client that offers protocols without it is refused; one that offers none is served.
static inline void footbridge_ssl_ctx_take_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, footbridge_select_alpn, NULL);
}

/// Has a client offer HTTP/1.1 alone.
static inline void footbridge_ssl_ctx_offer_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_protos(context, footbridge_alpn, sizeof footbridge_alpn);
}

/// Adds an issuer's certificate to the chain that is sent; the context takes a reference of its own.
static inline int footbridge_ssl_ctx_add_issuer(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

/// The name that a client asks for (SNI, RFC 6066, section 3).
static inline int footbridge_ssl_ask_for(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

/// A password callback that has none: OpenSSL's own would ask at the terminal.
static inline int footbridge_no_password(char *buffer, int size, int writing, void *argument) {
  (void)buffer;
  (void)size;
  (void)writing;
  (void)argument;
  return -1;
}

/// Whether an error of OpenSSL's has this library and reason.
static inline int footbridge_err_is(unsigned long code, int library, int reason) {
  return ERR_GET_LIB(code) == library && ERR_GET_REASON(code) == reason;
}

/// The reason in an error of OpenSSL's, among those of its library.
static inline int footbridge_err_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
