package import Sessions

/// What is set about https.
public struct TLSOptions: Sendable {
  /// The port to listen on with TLS; 0 picks a free one, nil means no TLS.
  public var tlsPort: Int?
  /// The file with the server's certificate, followed by its issuers, as PEM. Nil uses one from the local authority.
  public var tlsCertificate: String?
  /// The file with the certificate's private key, as PEM.
  public var tlsKey: String?

  package init() {}
}

extension ServerOption {
  package static let tlsPort = ServerOption(
    "tlsPort", .text, "port", help: "The port to listen on for https as well; 0 picks a free port.")
  package static let tlsCert = ServerOption(
    "tlsCert", .pathOfInput, "file",
    help: "The certificate for https, followed by its issuers, as PEM. (default: one from the local authority)")
  package static let tlsKey = ServerOption(
    "tlsKey", .pathOfInput, "file", help: "The private key of the certificate, as PEM.")
}

/// How the options are read.
extension TLSOptions {
  package static let options: [ServerOption] = [.tlsPort, .tlsCert, .tlsKey]

  init(_ values: OptionValues) throws(OptionError) {
    tlsPort = try values.number(.tlsPort, in: 0...65_535)
    tlsCertificate = values[.tlsCert]?.value
    tlsKey = values[.tlsKey]?.value
    if tlsPort == nil, let (_, source) = values[.tlsCert] ?? values[.tlsKey] {
      throw OptionError("\(source) has no effect without \(ServerOption.tlsPort.flag).")
    }
  }
}
