/// Why a certificate and its key cannot be used.
public enum TLSIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no usable certificate, for a reason that OpenSSL gives.
  case certificateInvalid(reason: String)
  /// There is no usable private key, for a reason that OpenSSL gives.
  case keyInvalid(reason: String)
  /// The key is protected by a passphrase.
  case keyEncrypted
  /// The key belongs to another certificate.
  case keyMismatch

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .certificateInvalid(let reason):
      "There is no usable certificate in PEM form (\(reason)). The server's own certificate comes first, then its issuers."
    case .keyInvalid(let reason): "There is no usable private key in PEM form (\(reason))."
    case .keyEncrypted:
      "The private key is protected by a passphrase. Remove it: openssl pkey -in KEY -out PLAIN-KEY."
    case .keyMismatch: "The private key does not belong to the certificate. Use two files of the same pair."
    }
  }
}
