import COpenSSL

/// HMAC with SHA-256 (RFC 2104) under one key, which OpenSSL wipes when nobody uses it any more.
package final class AuthenticationCode: @unchecked Sendable {
  // Unchecked: nothing changes what it points to, each code begins with a copy.
  private let context: OpaquePointer

  /// How many bytes a key has that ``makeKey()`` makes.
  package static let keyByteCount = SHA256.byteCount

  /// Makes a key by chance.
  package static func makeKey() -> [UInt8] {
    var key = [UInt8](repeating: 0, count: keyByteCount)
    guard RAND_priv_bytes(&key, Int32(key.count)) == 1 else { preconditionFailure("OpenSSL has no random numbers") }
    return key
  }

  /// Begins with a key. To begin takes as long as the rest, so keep this for the next text.
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

  /// The code of bytes, 32 bytes.
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

  /// Whether this is the code of bytes. Takes as long for one that is nearly right.
  package func isCode(_ code: [UInt8], of bytes: [UInt8]) -> Bool {
    areEqualInConstantTime(self.code(of: bytes), code)
  }
}

/// Whether both are the same. The time tells nothing of where they differ.
package func areEqualInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
