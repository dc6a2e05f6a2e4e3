import COpenSSL
package import Essentials

/// A certificate (X.509; RFC 5280).
package final class Certificate: @unchecked Sendable {
  // Unchecked: it never changes, and OpenSSL locks its own caches.
  let pointer: OpaquePointer

  /// Takes ownership of a certificate.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// Reads the first certificate in a PEM text. Ignores everything else in it.
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

  /// The start of its validity.
  package var start: Date { Self.date(X509_get0_notBefore(pointer)) ?? .distantFuture }

  /// The end of its validity.
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

  /// The names that it is valid for: hosts and addresses. Empty if there are none, or if a name is of another type.
  package var alternativeNames: [GeneralName] {
    GeneralName.take(footbridge_alternative_names(pointer)) ?? []
  }

  /// The names that it may sign for, as an authority. Nil if there is no such limit, or if the limit is not a list of hosts and
  /// addresses.
  package var permittedNames: [GeneralName]? {
    footbridge_permitted_names(pointer).flatMap { GeneralName.take($0) }
  }

  /// Whether an authority has signed it.
  package func isIssued(by authority: Certificate) -> Bool {
    defer { ERR_clear_error() }
    return X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(authority.pointer)) == 0
      && X509_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
  }

  /// Whether it belongs to a private key: the public keys are the same.
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
