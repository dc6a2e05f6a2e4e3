import COpenSSL

/// Verifies signatures with OpenSSL itself, so that our layer over it is not its own judge.
enum OpenSSLJudge {
  /// Whether a signature of ES256 is that of a text.
  static func isSignature(_ signature: [UInt8], of text: String, byKeyAt point: (x: [UInt8], y: [UInt8])) -> Bool {
    // SubjectPublicKeyInfo of a key on P-256 (RFC 5480), up to the point.
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
      0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    let key = (head + point.x + point.y).withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
      ERR_clear_error()
    }
    let (der, bytes) = (self.der(signature), Array(text.utf8))
    return key != nil && EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, der, der.count, bytes, bytes.count) == 1
  }

  /// A certificate in words.
  static func text(of pem: [UInt8]) -> String {
    let (input, output) = (BIO_new_mem_buf(pem, Int32(pem.count)), BIO_new(BIO_s_mem()))
    let certificate = PEM_read_bio_X509(input, nil, nil, nil)
    defer {
      X509_free(certificate)
      BIO_free(input)
      BIO_free(output)
    }
    X509_print(output, certificate)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(output, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
  }

  /// The two numbers of a signature as OpenSSL reads them (RFC 3279, section 2.2.3).
  private static func der(_ signature: [UInt8]) -> [UInt8] {
    let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
      var digits = Array(half.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [2, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(numbers.count)] + numbers
  }
}
