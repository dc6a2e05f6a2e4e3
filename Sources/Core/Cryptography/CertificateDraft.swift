import COpenSSL
package import Essentials

/// The contents of a certificate that is not signed yet.
///
/// ```swift
/// let authorityKey = P256Key()
/// let authority = CertificateDraft(commonName: "Test CA", for: .authority(permitted: []), from: start, to: end)
///   .selfSigned(with: authorityKey)
/// let key = P256Key()
/// let certificate = CertificateDraft(commonName: "localhost", for: .server([.dns("localhost")]), from: start, to: end)
///   .signed(for: key, by: authority, with: authorityKey)
/// ```
///
/// A TLS server takes the result in PEM form: `certificate.pem`, `authority.pem` and `key.pem`.
package struct CertificateDraft {
  /// The purpose of a certificate.
  package enum Purpose {
    /// An authority. It may sign for these names and their subdomains; for any name if the list is empty.
    case authority(permitted: [GeneralName])
    /// A server with these names.
    case server([GeneralName])
  }

  private let commonName: String
  private let purpose: Purpose
  private let start: Date
  private let end: Date

  /// Creates a draft for the subject with this common name.
  package init(commonName: String, for purpose: Purpose, from start: Date, to end: Date) {
    self.commonName = commonName
    self.purpose = purpose
    self.start = start
    self.end = end
  }

  /// Returns the certificate, signed with its own key.
  package func selfSigned(with key: P256Key) -> Certificate {
    signed(for: key, by: nil, with: key)
  }

  /// Returns the certificate, signed by an authority.
  ///
  /// - Parameters:
  ///   - key: The key of the certificate.
  ///   - authority: The certificate of the authority; nil if the certificate signs itself.
  ///   - authorityKey: The key of the authority.
  package func signed(for key: P256Key, by authority: Certificate?, with authorityKey: P256Key) -> Certificate {
    guard let certificate = attempt({ signedOnce(for: key, by: authority, with: authorityKey) }) else {
      preconditionFailure("OpenSSL cannot make a certificate")
    }
    return certificate
  }

  private func signedOnce(
    for key: P256Key, by authority: Certificate?, with authorityKey: P256Key
  ) -> Certificate? {
    guard let pointer = X509_new() else { return nil }
    let certificate = Certificate(pointer)
    let issuer = authority?.pointer ?? pointer
    let subject = X509_get_subject_name(pointer)
    // RFC 5280, appendix A.1: no common name is longer than 64 characters.
    let name = Array(String(String.UnicodeScalarView(commonName.unicodeScalars.prefix(64))).utf8)
    // Version 3 has the number 2.
    var isDone = X509_set_version(pointer, 2) == 1
    isDone = isDone && footbridge_set_random_serial(pointer) == 1
    isDone =
      isDone
      && X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, name, Int32(clamping: name.count), -1, 0)
        == 1
    isDone = isDone && X509_set_issuer_name(pointer, X509_get_subject_name(issuer)) == 1
    isDone = isDone && X509_set_pubkey(pointer, key.pointer) == 1
    isDone = isDone && ASN1_TIME_set(X509_getm_notBefore(pointer), Self.seconds(start)) != nil
    isDone = isDone && ASN1_TIME_set(X509_getm_notAfter(pointer), Self.seconds(end)) != nil
    isDone = isDone && addExtensions(to: pointer, issuer: issuer)
    isDone = isDone && X509_sign(pointer, authorityKey.pointer, EVP_sha256()) > 0
    return isDone ? certificate : nil
  }

  private func addExtensions(to certificate: OpaquePointer, issuer: OpaquePointer) -> Bool {
    func add(_ kind: Int32, _ value: String) -> Bool { footbridge_add_extension(certificate, issuer, kind, value) == 1 }
    switch purpose {
    case .authority(let permitted):
      return add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add(NID_key_usage, "critical,keyCertSign,cRLSign")
        && (permitted.isEmpty
          || GeneralName.with(permitted) { footbridge_add_name_constraints(certificate, $0) == 1 })
        && add(NID_subject_key_identifier, "hash")
    case .server(let names):
      return add(NID_basic_constraints, "critical,CA:FALSE")
        && add(NID_key_usage, "critical,digitalSignature")
        && add(NID_ext_key_usage, "serverAuth")
        && GeneralName.with(names) { footbridge_add_alternative_names(certificate, $0) == 1 }
        && add(NID_subject_key_identifier, "hash")
        && add(NID_authority_key_identifier, "keyid:always")
    }
  }

  private static func seconds(_ date: Date) -> time_t { time_t(date.timeIntervalSince1970.rounded(.down)) }
}

/// A name in a certificate (RFC 5280, section 4.2.1.6).
package enum GeneralName: Hashable, Sendable {
  /// A host's name.
  case dns(String)
  /// An IP address: 4 or 16 bytes. In name constraints, its mask follows: 8 or 32 bytes in all.
  case address([UInt8])

  /// Reads OpenSSL's list of names, and frees it. Returns nil if a name is of another type.
  static func take(_ names: OpaquePointer?) -> [GeneralName]? {
    defer { footbridge_names_free(names) }
    var taken: [GeneralName] = []
    for index in 0..<footbridge_names_count(names) {
      var bytes: UnsafePointer<UInt8>?
      var count = 0
      let kind = footbridge_names_get(names, index, &bytes, &count)
      let value = Array(UnsafeBufferPointer(start: bytes, count: count))
      switch kind {
      case GEN_DNS: taken.append(.dns(String(decoding: value, as: UTF8.self)))
      case GEN_IPADD: taken.append(.address(value))
      default: return nil
      }
    }
    return taken
  }

  /// Calls `body` with names as OpenSSL's list, which is valid during the call only.
  static func with<Result>(_ names: [GeneralName], _ body: (OpaquePointer?) -> Result) -> Result {
    let list = footbridge_names_new()
    defer { footbridge_names_free(list) }
    for name in names {
      let (kind, bytes) =
        switch name {
        case .dns(let text): (GEN_DNS, Array(text.utf8))
        case .address(let address): (GEN_IPADD, address)
        }
      guard succeeds({ footbridge_names_add(list, kind, bytes, bytes.count) == 1 }) else {
        preconditionFailure("OpenSSL has no memory for a name")
      }
    }
    return body(list)
  }
}
