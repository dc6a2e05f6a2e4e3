import COpenSSL
package import Essentials

/// An X.509 certificate (RFC 5280).
package final class Certificate: @unchecked Sendable {
  // Unchecked: it never changes, and OpenSSL locks its own caches.
  let pointer: OpaquePointer

  /// Takes ownership of a certificate.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// Reads the first certificate in a PEM text. Ignores everything else in it.
  /// - Throws: ``PEMError/noCertificate``.
  package convenience init(pem text: [UInt8]) throws(PEMError) {
    defer { ERR_clear_error() }
    let certificate = PEM.reading(text) { PEM_read_bio_X509($0, nil, footbridge_no_password, nil) }
    guard let certificate else { throw .noCertificate }
    self.init(certificate)
  }

  deinit {
    X509_free(pointer)
  }

  /// The certificate in PEM form.
  package var pem: [UInt8] { PEM.written { PEM_write_bio_X509($0, pointer) } }

  /// The start of its validity. If it is not readable, the distant future, so that the certificate is not valid.
  package var start: Date { Self.date(X509_get0_notBefore(pointer)) ?? .distantFuture }

  /// The end of its validity. If it is not readable, the distant past.
  package var end: Date { Self.date(X509_get0_notAfter(pointer)) ?? .distantPast }

  /// The common name of its subject; nil if there is none.
  package var commonName: String? {
    var text: UnsafeMutablePointer<UInt8>?
    let count = footbridge_common_name(X509_get_subject_name(pointer), &text)
    defer { footbridge_free(text) }
    return count < 0 ? nil : String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
  }

  /// The public key: SubjectPublicKeyInfo (RFC 5280, section 4.1) in DER form.
  package var publicKey: [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(pointer), &bytes)
    defer { footbridge_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: max(0, Int(count))))
  }

  /// The subject alternative names for which it is valid: host names and addresses. Empty if there are none, or if one
  /// is of another type.
  package var alternativeNames: [GeneralName] {
    GeneralName.take(footbridge_alternative_names(pointer)) ?? []
  }

  /// The names for which it may sign certificates as an authority (RFC 5280, section 4.2.1.10). Nil if there is no such
  /// constraint, or if it has names of another type.
  package var permittedNames: [GeneralName]? {
    footbridge_permitted_names(pointer).flatMap { GeneralName.take($0) }
  }

  /// Whether an authority has issued it: the authority is its issuer, and the signature is valid.
  package func isIssued(by authority: Certificate) -> Bool {
    defer { ERR_clear_error() }
    return X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(authority.pointer)) == 0
      && X509_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
  }

  /// Whether its public key belongs to a private key.
  package func belongs(to key: P256Key) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
  }
}

extension Certificate: Equatable {
  package static func == (one: Certificate, other: Certificate) -> Bool { X509_cmp(one.pointer, other.pointer) == 0 }
}
