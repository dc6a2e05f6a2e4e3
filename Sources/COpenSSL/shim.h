#ifndef FOOTBRIDGE_COPENSSL_SHIM_H
#define FOOTBRIDGE_COPENSSL_SHIM_H

// The parts of OpenSSL that Swift cannot import: macros, and callbacks whose types differ between versions.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

/// Sets up a context: at least TLS 1.2, no renegotiation, no session cache, and no buffers for idle connections.
static inline void footbridge_ssl_ctx_set_up(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// The only supported protocol, in the wire format of ALPN (RFC 7301).
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

/// Makes a server accept HTTP/1.1 only. It refuses a client that offers other protocols only, and serves one that offers none.
static inline void footbridge_ssl_ctx_take_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, footbridge_select_alpn, NULL);
}

/// Makes a client offer HTTP/1.1 only.
static inline void footbridge_ssl_ctx_offer_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_protos(context, footbridge_alpn, sizeof footbridge_alpn);
}

/// Adds an issuer's certificate to the chain. The context retains it.
static inline int footbridge_ssl_ctx_add_issuer(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

/// Sets the server name that a client sends (SNI; RFC 6066, section 3).
static inline int footbridge_ssl_ask_for(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

/// A password callback without a password. OpenSSL's own would ask on the terminal.
static inline int footbridge_no_password(char *buffer, int size, int writing, void *argument) {
  (void)buffer;
  (void)size;
  (void)writing;
  (void)argument;
  return -1;
}

/// Whether an OpenSSL error has this library and reason.
static inline int footbridge_err_is(unsigned long code, int library, int reason) {
  return ERR_GET_LIB(code) == library && ERR_GET_REASON(code) == reason;
}

/// The reason code of an OpenSSL error.
static inline int footbridge_err_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
