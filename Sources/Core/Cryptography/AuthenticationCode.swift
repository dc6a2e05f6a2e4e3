import COpenSSL

/// Computes and checks message authentication codes: HMAC with SHA-256 (RFC 2104) under one key. OpenSSL wipes its copy
/// of the key when this object is released.
///
/// ```swift
/// let code = AuthenticationCode(key: AuthenticationCode.makeKey())
/// let tag = code.code(of: bytes)
/// code.isCode(tag, of: bytes)  // true
/// ```
package final class AuthenticationCode: @unchecked Sendable {
  // Unchecked: the context behind the pointer never changes. Each code starts from a copy of it.
  private let context: OpaquePointer

  /// The length of a key from ``makeKey()``, in bytes.
  package static let keyByteCount = SHA256.byteCount

  /// Makes a random key.
  package static func makeKey() -> [UInt8] {
    var key = [UInt8](repeating: 0, count: keyByteCount)
    guard RAND_priv_bytes(&key, Int32(key.count)) == 1 else { preconditionFailure("OpenSSL has no random numbers") }
    return key
  }

  /// Creates an object for one key. This takes as long as computing a code, so keep the object for further codes.
  package init(key: [UInt8]) {
    let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
    defer { EVP_MAC_free(algorithm) }
    guard let context = EVP_MAC_CTX_new(algorithm), footbridge_hmac_sha256_init(context, key, key.count) == 1 else {
      preconditionFailure("OpenSSL has no HMAC with SHA-256, or no memory for it")
    }
    self.context = context
  }

  deinit {
    EVP_MAC_CTX_free(context)
  }

  /// Computes the code of `bytes`: 32 bytes.
  package func code(of bytes: [UInt8]) -> [UInt8] {
    let copy = EVP_MAC_CTX_dup(context)
    defer { EVP_MAC_CTX_free(copy) }
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    var count = 0
    guard EVP_MAC_update(copy, bytes, bytes.count) == 1, EVP_MAC_final(copy, &code, &count, code.count) == 1 else {
      preconditionFailure("OpenSSL has no memory for an authentication code")
    }
    return code
  }

  /// Checks a code in constant time: the time does not depend on how much of the code is right.
  package func isCode(_ code: [UInt8], of bytes: [UInt8]) -> Bool {
    areEqualInConstantTime(self.code(of: bytes), code)
  }
}

/// Compares two byte arrays in constant time. Only a difference in length is found faster.
package func areEqualInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
