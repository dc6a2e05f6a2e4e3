import COpenSSL

/// Why TLS on a connection failed.
enum TLSFailure: Error, Hashable, CustomStringConvertible {
  /// The peer does not speak TLS.
  case notTLS
  /// The peer's certificate was refused. The reason is a clause.
  case certificateRefused(reason: String)
  /// The peer ended the connection with an alert (RFC 8446, section 6.2).
  case alert(String)
  /// The peer broke the protocol, or there is no version or cipher that both ends support.
  case protocolError(String)
  /// The peer closed the connection before the handshake was complete.
  case truncated
  /// The handshake took too long.
  case timedOut
  /// OpenSSL has no memory for the connection.
  case noMemory

  /// What happened, as a clause for the end of a sentence.
  var description: String {
    switch self {
    case .notTLS: "it does not speak TLS; its address may begin with http://"
    case .certificateRefused(let reason): reason
    case .alert(let text): "it refuses the connection (\(text))"
    case .protocolError(let text): "the TLS handshake fails (\(text))"
    case .truncated: "it closed the connection during the TLS handshake"
    case .timedOut: "the TLS handshake takes too long"
    case .noMemory: "there is no memory for TLS"
    }
  }

  /// Reads the failure from OpenSSL's error queue, and clears the queue.
  /// - Parameters:
  ///   - verification: OpenSSL's result of verifying the peer's certificate (`X509_V_…`).
  ///   - name: The name for which the certificate should be valid.
  static func last(verification: Int, name: String?) -> TLSFailure {
    let code = ERR_get_error()
    ERR_clear_error()
    if verification != Int(X509_V_OK) {
      return .certificateRefused(reason: certificateReason(verification, name: name))
    }
    let reason = footbridge_err_reason(code)
    if reason > SSL_AD_REASON_OFFSET {
      return .alert(String(cString: SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET)))
    }
    return .protocolError(openSSLText(code))
  }

  private static func certificateReason(_ verification: Int, name: String?) -> String {
    switch Int32(verification) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      "its certificate is self-signed and so not trusted"
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      "its certificate is from an authority that this machine does not trust"
    case X509_V_ERR_CERT_HAS_EXPIRED: "its certificate has expired"
    case X509_V_ERR_CERT_NOT_YET_VALID: "its certificate is not valid yet"
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      "its certificate is not for \(name ?? "this name")"
    default: "its certificate was refused (\(String(cString: X509_verify_cert_error_string(verification))))"
    }
  }
}

/// OpenSSL's text for an error code.
func openSSLText(_ code: UInt) -> String {
  ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason given"
}

/// Why a certificate and its key cannot be used.
public enum TLSIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no usable certificate, for a reason that OpenSSL gives.
  case certificateInvalid(reason: String)
  /// There is no usable private key, for a reason that OpenSSL gives.
  case keyInvalid(reason: String)
  /// The private key is protected by a passphrase.
  case keyEncrypted
  /// The private key belongs to another certificate.
  case keyMismatch
  /// OpenSSL has no memory for the settings.
  case noMemory

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .certificateInvalid(let reason):
      "There is no usable certificate in PEM form (\(reason)). The server's own certificate comes first, then its issuers."
    case .keyInvalid(let reason): "There is no usable private key in PEM form (\(reason))."
    case .keyEncrypted:
      "The private key is protected by a passphrase. Remove it: openssl pkey -in KEY -out PLAIN-KEY."
    case .keyMismatch: "The private key does not belong to the certificate. Use two files of the same pair."
    case .noMemory: "There is no memory for TLS."
    }
  }
}
