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
    guard succeeds({ RAND_priv_bytes(&key, Int32(key.count)) == 1 }) else {
      preconditionFailure("OpenSSL has no random numbers")
    }
    return key
  }

  /// Creates an object for one key. This takes as long as computing a code, so keep the object for further codes.
  package init(key: [UInt8]) {
    guard let context = attempt({ Self.context(for: key) }) else {
      preconditionFailure("OpenSSL has no HMAC with SHA-256, or no memory for it")
    }
    self.context = context
  }

  private static func context(for key: [UInt8]) -> OpaquePointer? {
    let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
    defer { EVP_MAC_free(algorithm) }
    guard let context = EVP_MAC_CTX_new(algorithm) else { return nil }
    if footbridge_hmac_sha256_init(context, key, key.count) == 1 { return context }
    EVP_MAC_CTX_free(context)
    return nil
  }

  deinit {
    EVP_MAC_CTX_free(context)
  }

  /// Computes the code of `bytes`: 32 bytes.
  package func code(of bytes: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    let isDone = succeeds {
      guard let copy = EVP_MAC_CTX_dup(context) else { return false }
      defer { EVP_MAC_CTX_free(copy) }
      var count = 0
      return EVP_MAC_update(copy, bytes, bytes.count) == 1 && EVP_MAC_final(copy, &code, &count, code.count) == 1
    }
    guard isDone else { preconditionFailure("OpenSSL has no memory for an authentication code") }
    return code
  }

  /// Begins a code whose bytes come piece by piece.
  package func begin() -> RunningCode { RunningCode(attempt { EVP_MAC_CTX_dup(context) }) }

  /// Checks a code in constant time: the time does not depend on how much of the code is right.
  package func isCode(_ code: [UInt8], of bytes: [UInt8]) -> Bool {
    areEqualInConstantTime(self.code(of: bytes), code)
  }
}

/// A code of ``AuthenticationCode`` that is computed piece by piece.
package final class RunningCode {
  private let context: OpaquePointer?

  fileprivate init(_ context: OpaquePointer?) { self.context = context }

  deinit {
    EVP_MAC_CTX_free(context)
  }

  /// Adds bytes.
  package func add(_ bytes: some Collection<UInt8>) {
    let isAdded = bytes.withContiguousStorageIfAvailable { EVP_MAC_update(context, $0.baseAddress, $0.count) == 1 }
    guard isAdded ?? (EVP_MAC_update(context, Array(bytes), bytes.count) == 1) else {
      preconditionFailure("OpenSSL has no memory for an authentication code")
    }
  }

  /// Ends the code: 32 bytes. Add nothing afterwards.
  package func finish() -> [UInt8] {
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    var count = 0
    guard EVP_MAC_final(context, &code, &count, code.count) == 1 else {
      preconditionFailure("OpenSSL has no memory for an authentication code")
    }
    return code
  }
}

/// Compares two byte arrays in constant time. Only a difference in length is found faster.
package func areEqualInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
