import COpenSSL

/// Encrypts and authenticates bytes with AES-256-GCM (NIST SP 800-38D). Without the key, nobody can read them or change
/// them unnoticed.
///
/// ```swift
/// let sealed = SealedBytes.seal(bytes, with: key)  // `key` has 32 bytes
/// let opened = SealedBytes.open(sealed, with: key)
/// ```
package enum SealedBytes {
  /// The length of a key, in bytes.
  package static let keyByteCount = 32

  private static let nonceByteCount = 12
  private static let tagByteCount = 16

  /// Seals bytes. Returns a random nonce (12 bytes), the encrypted bytes, and their tag (16 bytes).
  ///
  /// - Precondition: `key` has ``keyByteCount`` bytes.
  package static func seal(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8] {
    precondition(key.count == keyByteCount, "a key has \(keyByteCount) bytes")
    var nonce = [UInt8](repeating: 0, count: nonceByteCount)
    var sealed = [UInt8](repeating: 0, count: bytes.count)
    var tag = [UInt8](repeating: 0, count: tagByteCount)
    var count: CInt = 0
    let isDone = succeeds {
      let context = EVP_CIPHER_CTX_new()
      defer { EVP_CIPHER_CTX_free(context) }
      return RAND_bytes(&nonce, CInt(nonce.count)) == 1
        && EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        && EVP_EncryptUpdate(context, &sealed, &count, bytes, CInt(bytes.count)) == 1
        && EVP_EncryptFinal_ex(context, nil, &count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagByteCount), &tag) == 1
    }
    guard isDone else { preconditionFailure("OpenSSL has no AES-256-GCM, or no memory for it") }
    return nonce + sealed + tag
  }

  /// Opens sealed bytes. Returns nil if they were sealed with another key, if a byte was changed, or if the key has the
  /// wrong length.
  package static func open(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8]? {
    guard key.count == keyByteCount, bytes.count >= nonceByteCount + tagByteCount else { return nil }
    let nonce = Array(bytes.prefix(nonceByteCount))
    let sealed = Array(bytes.dropFirst(nonceByteCount).dropLast(tagByteCount))
    var tag = Array(bytes.suffix(tagByteCount))
    return attempt {
      var opened = [UInt8](repeating: 0, count: sealed.count)
      var count: CInt = 0
      let context = EVP_CIPHER_CTX_new()
      defer { EVP_CIPHER_CTX_free(context) }
      guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
        EVP_DecryptUpdate(context, &opened, &count, sealed, CInt(sealed.count)) == 1,
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagByteCount), &tag) == 1,
        EVP_DecryptFinal_ex(context, nil, &count) == 1
      else { return nil }
      return opened
    }
  }
}
