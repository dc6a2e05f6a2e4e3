import COpenSSL

/// A private key on the curve P-256 with its public key, for ECDSA with SHA-256. OpenSSL wipes it when this object is
/// released.
///
/// ```swift
/// let key = P256Key()
/// let signature = key.signature(of: Array("header.payload".utf8))
/// let stored = key.pem
/// let same = try P256Key(pem: stored)
/// ```
package final class P256Key: @unchecked Sendable {
  // Unchecked: the key behind the pointer never changes, and OpenSSL's reference count is atomic.
  let pointer: OpaquePointer

  /// The length of a coordinate, and of each half of a signature, in bytes.
  private static let byteCount = 32

  /// Makes a random key pair.
  package init() {
    guard let pointer = attempt(footbridge_make_p256_key) else {
      preconditionFailure("OpenSSL can make no key on P-256")
    }
    self.pointer = pointer
  }

  /// Reads a key in PEM form: `PRIVATE KEY` (RFC 5958) or `EC PRIVATE KEY` (RFC 5915), without a passphrase.
  ///
  /// - Throws: ``PEMError/noKey``.
  package init(pem text: [UInt8]) throws(PEMError) {
    defer { ERR_clear_error() }
    guard let key = attempt({ Self.read(text) }) else { throw .noKey }
    pointer = key
  }

  /// Reads a key. Without memory, OpenSSL may read one that lacks its public half.
  private static func read(_ text: [UInt8]) -> OpaquePointer? {
    let key = PEM.reading(text) { PEM_read_bio_PrivateKey($0, nil, footbridge_no_password, nil) }
    var (x, y) = ([UInt8](repeating: 0, count: byteCount), [UInt8](repeating: 0, count: byteCount))
    if let key, footbridge_is_p256(key) == 1, footbridge_p256_coordinates(key, &x, &y) == 1 { return key }
    EVP_PKEY_free(key)
    return nil
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  /// The key in PEM form, as `PRIVATE KEY`.
  package var pem: [UInt8] {
    PEM.written { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
  }

  /// The coordinates of the public key, 32 bytes each.
  package var coordinates: (x: [UInt8], y: [UInt8]) {
    var x = [UInt8](repeating: 0, count: Self.byteCount)
    var y = x
    guard succeeds({ footbridge_p256_coordinates(pointer, &x, &y) == 1 }) else {
      preconditionFailure("OpenSSL gives no coordinates of a key on P-256")
    }
    return (x, y)
  }

  /// Signs `bytes`. Returns the signature as in a JWS: the numbers R and S, 32 bytes each (RFC 7518, section 3.4).
  package func signature(of bytes: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 2 * Self.byteCount)
    guard succeeds({ footbridge_p256_sign(pointer, bytes, bytes.count, &signature) == 1 }) else {
      preconditionFailure("OpenSSL cannot sign with a key on P-256")
    }
    return signature
  }
}
