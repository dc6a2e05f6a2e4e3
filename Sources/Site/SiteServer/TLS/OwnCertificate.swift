package import Cryptography
import Essentials
import class Foundation.FileHandle
import WebServer

/// The developer's own certificate (`--tls-cert`, `--tls-key`).
package struct OwnCertificate {
  /// The TLS context of connections, with the certificate and its key.
  let context: TLSContext
  /// The server's certificate, the first in its chain.
  package let certificate: Certificate

  /// Reads the files; nil if the options name none. Throws ``SiteError``.
  package init?(_ options: TLSOptions) throws(SiteError) {
    switch (options.tlsCertificate, options.tlsKey) {
    case (nil, nil): return nil
    case (let certificatePath?, let keyPath?):
      let chain = try Self.read(certificatePath)
      context = try Self.context(chain, certificatePath, key: try Self.read(keyPath), keyPath)
      do {
        certificate = try Certificate(pem: chain)
      } catch {
        throw .certificateInvalid(certificatePath, reason: "It holds no certificate.")
      }
    case (nil, _?): throw .certificateIncomplete(missing: "--tls-cert", given: "--tls-key")
    case (_?, nil): throw .certificateIncomplete(missing: "--tls-key", given: "--tls-cert")
    }
  }

  private static func context(
    _ chain: [UInt8], _ certificatePath: String, key: [UInt8], _ keyPath: String
  ) throws(SiteError) -> TLSContext {
    do {
      return try TLSContext.server(certificateChain: chain, privateKey: key)
    } catch {
      switch error {
      case .certificateInvalid, .noMemory: throw .certificateInvalid(certificatePath, reason: error.description)
      case .keyInvalid, .keyEncrypted: throw .certificateInvalid(keyPath, reason: error.description)
      case .keyMismatch: throw .certificateInvalid("\(keyPath) and \(certificatePath)", reason: error.description)
      }
    }
  }

  private static func read(_ path: String) throws(SiteError) -> [UInt8] {
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
