/// Why a certificate and key cannot be served with.
public enum TLSIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The certificate's file holds no certificate that can be used, for a reason that OpenSSL names.
  case certificateInvalid(reason: String)
  /// The key's file holds no private key that can be used, for a reason that OpenSSL names.
  case keyInvalid(reason: String)
  /// The key is protected by a passphrase.
  case keyEncrypted
  /// The key is another certificate's.
  case keyMismatch

  /// One sentence for people: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .certificateInvalid(let reason):
      "There is no certificate in PEM form that can be used (\(reason)). The server's own certificate comes first, its issuers follow."
    case .keyInvalid(let reason): "There is no private key in PEM form that can be used (\(reason))."
    case .keyEncrypted:
      "The private key is protected by a passphrase. Write it without one: openssl pkey -in KEY -out PLAIN-KEY."
    case .keyMismatch: "The private key is not that of the certificate. Give both files of the same pair."
    }
  }
}
