import Essentials
import class Foundation.FileHandle
import WebServer
import SwiftASN1
import X509

/// The developer's own certificate (`--tls-cert`, `--tls-key`).
struct OwnCertificate {
  private let certificatePath: String
  private let chain: [UInt8]
  private let keyPath: String
  private let key: [UInt8]

  /// Reads the files; nil if the options name none. Throws ``FootbridgeError``.
  init?(_ options: FootbridgeOptions) throws(FootbridgeError) {
    switch (options.tlsCertificate, options.tlsKey) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      certificatePath = certificate
      keyPath = key
      chain = try Self.read(certificate)
      self.key = try Self.read(key)
    case (nil, _?): throw .certificateIncomplete(missing: "--tls-cert", given: "--tls-key")
    case (_?, nil): throw .certificateIncomplete(missing: "--tls-key", given: "--tls-cert")
    }
  }

  /// The certificate and key that connections use.
  func context() throws(FootbridgeError) -> TLSContext {
    do {
      return try TLSContext.server(certificateChain: chain, privateKey: key)
    } catch {
      switch error {
      case .certificateInvalid: throw .certificateInvalid(certificatePath, reason: error.description)
      case .keyInvalid, .keyEncrypted: throw .certificateInvalid(keyPath, reason: error.description)
      case .keyMismatch: throw .certificateInvalid("\(keyPath) and \(certificatePath)", reason: error.description)
      }
    }
  }

  /// The hash of the certificate's public key; nil for an unknown kind of key.
  var publicKeyHash: String? { try? certificate?.publicKeyHash() }

  /// When the certificate expires.
  var end: Date? { certificate?.notValidAfter }

  private var certificate: Certificate? {
    let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: chain, as: UTF8.self))
    return documents?.first { $0.discriminator == Certificate.defaultPEMDiscriminator }
      .flatMap { try? Certificate(pemDocument: $0) }
  }

  private static func read(_ path: String) throws(FootbridgeError) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw .certificateUnreadable(path, reason: String(cString: strerror(errno)))
    }
    guard let data = try? handle.read(upToCount: fileByteCount) else {
      throw .certificateUnreadable(path, reason: "It is not a file")
    }
    return Array(data)
  }

  /// The maximum size of a file in bytes. No certificate chain and no key is longer.
  private static let fileByteCount = 1 << 20
}
