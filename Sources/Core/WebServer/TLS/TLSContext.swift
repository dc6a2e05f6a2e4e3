import COpenSSL
import Cryptography

/// The settings that the TLS connections of a server or client share: versions, certificates and trusted authorities.
/// Supports TLS 1.2 and 1.3, and HTTP/2 and HTTP/1.1 by ALPN (RFC 7301).
///
/// It is not thread-safe.
public final class TLSContext {
  let pointer: OpaquePointer

  private init(_ method: OpaquePointer?) throws(TLSIdentityError) {
    ERR_clear_error()
    guard let pointer = SSL_CTX_new(method) else {
      ERR_clear_error()
      throw .noMemory
    }
    self.pointer = pointer
    footbridge_ssl_ctx_set_up(pointer)
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  /// Creates the context of a server.
  ///
  /// - Parameters:
  ///   - certificateChain: The server's certificate, then its issuers, in PEM form.
  ///   - privateKey: The certificate's private key, in PEM form.
  /// - Throws: ``TLSIdentityError``.
  public static func server(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSIdentityError) -> TLSContext {
    let context = try TLSContext(TLS_server_method())
    footbridge_ssl_ctx_take_http(context.pointer)
    ERR_clear_error()
    defer { ERR_clear_error() }
    try context.use(certificateChain: certificateChain)
    try context.use(privateKey: privateKey)
    return context
  }

  /// Creates the context of a client that trusts the system's authorities.
  /// - Throws: ``TLSIdentityError/noMemory``.
  static func client() throws(TLSIdentityError) -> TLSContext {
    let context = try TLSContext(TLS_client_method())
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    // Ignore a failure: on a system without authorities, every certificate is refused, and that error says why.
    SSL_CTX_set_default_verify_paths(context.pointer)
    return context
  }

  /// Trusts an authority, whose certificate is in PEM form. Returns false if it is not a certificate.
  func trust(authority: [UInt8]) -> Bool {
    Self.withCertificates(in: authority) { index, certificate in
      X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), certificate) == 1
    } > 0
  }

  private func use(certificateChain: [UInt8]) throws(TLSIdentityError) {
    let count = Self.withCertificates(in: certificateChain) { index, certificate in
      index == 0
        ? SSL_CTX_use_certificate(pointer, certificate) == 1
        : footbridge_ssl_ctx_add_issuer(pointer, certificate) == 1
    }
    guard count > 0 else { throw .certificateInvalid(reason: openSSLText(ERR_get_error())) }
  }

  private func use(privateKey: [UInt8]) throws(TLSIdentityError) {
    let key = PEM.reading(privateKey) { PEM_read_bio_PrivateKey($0, nil, footbridge_no_password, nil) }
    guard let key else {
      let code = ERR_peek_last_error()
      let isEncrypted = String(decoding: privateKey, as: UTF8.self).contains("ENCRYPTED")
      throw isEncrypted ? .keyEncrypted : .keyInvalid(reason: openSSLText(code))
    }
    defer { EVP_PKEY_free(key) }
    ERR_clear_error()
    guard SSL_CTX_use_PrivateKey(pointer, key) == 1, SSL_CTX_check_private_key(pointer) == 1 else {
      let code = ERR_peek_error()
      let isMismatch = [X509_R_KEY_VALUES_MISMATCH, X509_R_KEY_TYPE_MISMATCH].contains {
        footbridge_err_is(code, ERR_LIB_X509, $0) != 0
      }
      throw isMismatch ? .keyMismatch : .keyInvalid(reason: openSSLText(code))
    }
  }

  /// Calls `body` with the certificates of a PEM text, one after another, until it returns false.
  /// - Returns: How many there were; 0 if one was invalid or `body` returned false.
  private static func withCertificates(in text: [UInt8], _ body: (Int, OpaquePointer) -> Bool) -> Int {
    PEM.reading(text) { memory in
      var count = 0
      while let certificate = PEM_read_bio_X509(memory, nil, footbridge_no_password, nil) {
        defer { X509_free(certificate) }
        guard body(count, certificate) else { return 0 }
        count += 1
      }
      // OpenSSL reports even the end of the text as an error.
      guard footbridge_err_is(ERR_peek_last_error(), ERR_LIB_PEM, PEM_R_NO_START_LINE) != 0 else { return 0 }
      if count > 0 { ERR_clear_error() }
      return count
    }
  }
}
