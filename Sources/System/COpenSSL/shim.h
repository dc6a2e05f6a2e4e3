#ifndef FOOTBRIDGE_COPENSSL_SHIM_H
#define FOOTBRIDGE_COPENSSL_SHIM_H

// The parts of OpenSSL that Swift cannot import: macros, and callbacks whose types differ between versions.

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
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

/// HTTP/1.1 alone, in the wire format of ALPN (RFC 7301).
static const unsigned char footbridge_alpn_http1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

/// Both versions of HTTP, the better one first.
static const unsigned char footbridge_alpn[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

static inline int footbridge_select_alpn(SSL *ssl, const unsigned char **selected, unsigned char *length,
                                         const unsigned char *offered, unsigned int offered_length, void *argument) {
  (void)ssl;
  (void)argument;
  unsigned char *choice;
  if (SSL_select_next_proto(&choice, length, footbridge_alpn, sizeof footbridge_alpn, offered, offered_length) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *selected = choice;
  return SSL_TLSEXT_ERR_OK;
}

/// Makes a server accept HTTP/2 and HTTP/1.1. It refuses a client that offers other protocols only, and serves one that offers none.
static inline void footbridge_ssl_ctx_take_http(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, footbridge_select_alpn, NULL);
}

/// Makes a client offer HTTP/1.1, and HTTP/2 if it is to.
static inline void footbridge_ssl_offer_http(SSL *ssl, int offers_http2) {
  if (offers_http2)
    SSL_set_alpn_protos(ssl, footbridge_alpn, sizeof footbridge_alpn);
  else
    SSL_set_alpn_protos(ssl, footbridge_alpn_http1, sizeof footbridge_alpn_http1);
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

/// Makes a key on the curve P-256; NULL on failure.
static inline EVP_PKEY *footbridge_make_p256_key(void) { return EVP_EC_gen("P-256"); }

/// Whether a key is a private key on the curve P-256.
static inline int footbridge_is_p256(const EVP_PKEY *key) {
  char name[32];
  BIGNUM *number = NULL;
  int is = EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, name, sizeof name, NULL) == 1 &&
           OBJ_sn2nid(name) == NID_X9_62_prime256v1 && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number);
  BN_clear_free(number);
  return is;
}

/// Writes the coordinates of a public key on P-256, 32 bytes each.
static inline int footbridge_p256_coordinates(const EVP_PKEY *key, unsigned char *x, unsigned char *y) {
  BIGNUM *first = NULL, *second = NULL;
  int done = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_X, &first) &&
             EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_Y, &second) && BN_bn2binpad(first, x, 32) == 32 &&
             BN_bn2binpad(second, y, 32) == 32;
  BN_free(first);
  BN_free(second);
  return done;
}

/// Signs bytes by ECDSA with SHA-256 and a key on P-256, and writes the two numbers, 32 bytes each.
static inline int footbridge_p256_sign(EVP_PKEY *key, const unsigned char *bytes, size_t count, unsigned char *numbers) {
  // No signature on P-256 is longer in DER form: two numbers of 33 bytes, three heads of 2.
  unsigned char der[72];
  size_t length = sizeof der;
  const unsigned char *start = der;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
             EVP_DigestSign(context, der, &length, bytes, count) == 1;
  EVP_MD_CTX_free(context);
  ECDSA_SIG *signature = done ? d2i_ECDSA_SIG(NULL, &start, (long)length) : NULL;
  done = signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature), numbers, 32) == 32 &&
         BN_bn2binpad(ECDSA_SIG_get0_s(signature), numbers + 32, 32) == 32;
  ECDSA_SIG_free(signature);
  return done;
}

/// Begins HMAC with SHA-256.
static inline int footbridge_hmac_sha256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
                             OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}

/// What was written to a stream in memory.
static inline long footbridge_bio_content(BIO *stream, char **start) { return BIO_get_mem_data(stream, start); }

/// Frees what OpenSSL has made.
static inline void footbridge_free(void *pointer) { OPENSSL_free(pointer); }

/// The last common name of a subject as UTF-8, to be freed; negative for none.
static inline int footbridge_common_name(const X509_NAME *subject, unsigned char **text) {
  int index = -1;
  for (int next; (next = X509_NAME_get_index_by_NID(subject, NID_commonName, index)) >= 0;) index = next;
  if (index < 0) return -1;
  return ASN1_STRING_to_UTF8(text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
}

/// Gives a certificate a serial number of 159 bits by chance (RFC 5280, section 4.1.2.2: at most 20 bytes, positive).
static inline int footbridge_set_random_serial(X509 *certificate) {
  BIGNUM *number = BN_new();
  int done = number && BN_rand(number, 159, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
             BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
  BN_free(number);
  return done;
}

/// Adds an extension that is given in the words of x509v3_config(5).
static inline int footbridge_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int done = extension && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return done;
}

static inline GENERAL_NAMES *footbridge_names_new(void) { return GENERAL_NAMES_new(); }

static inline void footbridge_names_free(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

static inline int footbridge_names_count(const GENERAL_NAMES *names) {
  return names ? sk_GENERAL_NAME_num(names) : 0;
}

/// The kind of a name, GEN_DNS or GEN_IPADD, with its bytes; -1 for another kind.
static inline int footbridge_names_get(const GENERAL_NAMES *names, int index, const unsigned char **bytes, size_t *count) {
  int kind;
  ASN1_STRING *value = (ASN1_STRING *)GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &kind);
  if (kind != GEN_DNS && kind != GEN_IPADD) return -1;
  *bytes = ASN1_STRING_get0_data(value);
  *count = (size_t)ASN1_STRING_length(value);
  return kind;
}

/// Adds a name of the kind GEN_DNS or GEN_IPADD.
static inline int footbridge_names_add(GENERAL_NAMES *names, int kind, const unsigned char *bytes, size_t count) {
  ASN1_STRING *value = ASN1_STRING_type_new(kind == GEN_DNS ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
  GENERAL_NAME *name = GENERAL_NAME_new();
  if (!value || !name || !ASN1_STRING_set(value, bytes, (int)count)) {
    ASN1_STRING_free(value);
    GENERAL_NAME_free(name);
    return 0;
  }
  GENERAL_NAME_set0_value(name, kind, value);
  if (sk_GENERAL_NAME_push(names, name)) return 1;
  GENERAL_NAME_free(name);
  return 0;
}

/// The names that a certificate is for, to be freed; NULL for none.
static inline GENERAL_NAMES *footbridge_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int footbridge_add_alternative_names(X509 *certificate, GENERAL_NAMES *names) {
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1;
}

/// The names that an authority may sign for, to be freed; NULL when they are not limited, or some are excluded.
static inline GENERAL_NAMES *footbridge_permitted_names(const X509 *certificate) {
  NAME_CONSTRAINTS *constraints = (NAME_CONSTRAINTS *)X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL);
  GENERAL_NAMES *names = NULL;
  if (constraints && sk_GENERAL_SUBTREE_num(constraints->excludedSubtrees) <= 0 && (names = GENERAL_NAMES_new()))
    for (int index = 0; index < sk_GENERAL_SUBTREE_num(constraints->permittedSubtrees); index++) {
      GENERAL_NAME *name = GENERAL_NAME_dup(sk_GENERAL_SUBTREE_value(constraints->permittedSubtrees, index)->base);
      if (name && sk_GENERAL_NAME_push(names, name)) continue;
      GENERAL_NAME_free(name);
      GENERAL_NAMES_free(names);
      names = NULL;
      break;
    }
  NAME_CONSTRAINTS_free(constraints);
  return names;
}

/// Lets an authority sign for these names alone.
static inline int footbridge_add_name_constraints(X509 *certificate, const GENERAL_NAMES *names) {
  NAME_CONSTRAINTS *constraints = NAME_CONSTRAINTS_new();
  int done = constraints && (constraints->permittedSubtrees = sk_GENERAL_SUBTREE_new_null());
  for (int index = 0; done && index < sk_GENERAL_NAME_num(names); index++) {
    GENERAL_SUBTREE *subtree = GENERAL_SUBTREE_new();
    GENERAL_NAME *name = GENERAL_NAME_dup(sk_GENERAL_NAME_value(names, index));
    done = subtree && name;
    if (done) {
      GENERAL_NAME_free(subtree->base);
      subtree->base = name;
      name = NULL;
      done = sk_GENERAL_SUBTREE_push(constraints->permittedSubtrees, subtree) > 0;
      if (done) subtree = NULL;
    }
    GENERAL_NAME_free(name);
    GENERAL_SUBTREE_free(subtree);
  }
  done = done && X509_add1_ext_i2d(certificate, NID_name_constraints, constraints, 1, X509V3_ADD_DEFAULT) == 1;
  NAME_CONSTRAINTS_free(constraints);
  return done;
}

/// Whether an OpenSSL error has this library and reason.
static inline int footbridge_err_is(unsigned long code, int library, int reason) {
  return ERR_GET_LIB(code) == library && ERR_GET_REASON(code) == reason;
}

/// The reason code of an OpenSSL error.
static inline int footbridge_err_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
