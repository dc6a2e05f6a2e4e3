import COpenSSL

/// Reads and writes PEM texts (RFC 7468) through OpenSSL's streams (BIO).
package enum PEM {
  /// Calls `body` with a stream that reads a text, and is valid during the call only.
  package static func reading<Result>(_ text: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
    text.withUnsafeBytes { bytes in
      let stream = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
      defer { BIO_free(stream) }
      return body(stream)
    }
  }

  /// Returns the text that `body` writes to a stream.
  static func written(_ body: (OpaquePointer?) -> Int32) -> [UInt8] {
    let text = attempt { () -> [UInt8]? in
      // OpenSSL wipes this stream when it is freed: it may hold a key.
      guard let stream = BIO_new(BIO_s_secmem()) else { return nil }
      defer { BIO_free(stream) }
      guard body(stream) == 1 else { return nil }
      var start: UnsafeMutablePointer<CChar>?
      let count = footbridge_bio_content(stream, &start)
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
    guard let text else { preconditionFailure("OpenSSL has no memory for a PEM text") }
    return text
  }
}

/// Why a PEM text cannot be used.
package enum PEMError: Error, Hashable {
  /// It contains no readable certificate.
  case noCertificate
  /// It contains no private key on the curve P-256, or only one with a passphrase.
  case noKey
  /// The certificate is for another key.
  case otherKey
}
