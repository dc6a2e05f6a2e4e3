import COpenSSL

/// SHA-256 (FIPS 180-4).
///
/// ```swift
/// let hash = SHA256.hash("Hello")  // 32 bytes
/// ```
package enum SHA256 {
  /// The length of a hash, in bytes.
  package static let byteCount = 32

  // Fetched once, as OpenSSL recommends: the lookup takes longer than hashing a few bytes. Never changed.
  nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  /// Hashes bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: byteCount)
    guard succeeds({ EVP_Digest(bytes, bytes.count, &hash, nil, algorithm, nil) == 1 }) else {
      preconditionFailure("OpenSSL has no SHA-256, or no memory for it")
    }
    return hash
  }

  /// Hashes a text.
  package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}
