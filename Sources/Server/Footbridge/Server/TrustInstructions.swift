public import BridgeRuntime
import Cluster
import Essentials
import Logging
import Sessions
import SiteServer

/// Instructions for people: how browsers and programs can trust the server's certificate (`footbridge trust`).
public struct TrustInstructions {
  /// The hash of the public key for Chromium's `--ignore-certificate-errors-spki-list`.
  public let publicKeyHash: String
  /// The instructions.
  public let text: String

  /// The instructions for a server with these options. Creates the authority of the state directory if there is none yet.
  ///
  /// Throws ``FootbridgeError``.
  public init(options: FootbridgeOptions, clock: any BridgeClock = SystemBridgeClock()) throws {
    if let own = try OwnCertificate(options.site.tls) {
      publicKeyHash = own.certificate.publicKeyHash
      text = "The issuer of the certificate in --tls-cert decides who trusts it.\n\n" + Self.chromium(publicKeyHash)
      return
    }
    guard let state = try Self.storage(options) else { throw FootbridgeError.authorityNotKept }
    let authority = try LocalAuthority(
      for: ServerCertificate.names(options.site, siteOrigin: options.siteOrigin), state: state,
      now: Date(timeIntervalSince1970: clock.now.millisecondsSinceEpoch / 1000))
    publicKeyHash = authority.certificate.publicKeyHash
    let isDatabase = !(state is StateDirectory)
    let certificate = LocalAuthority.certificateFileName
    let file = Self.quoted(isDatabase ? certificate : URL(fileURLWithPath: state.place(of: certificate)).path)
    // In a database, the certificate is in no file. The reader saves it from this text.
    let pem = isDatabase ? "\n" + String(decoding: authority.certificate.pem, as: UTF8.self) : ""
    let replaced =
      authority.replacedName.map {
        "It has replaced \"\($0)\". Remove that one wherever it is trusted.\n\n"
      } ?? ""
    text = """
      The certificate of the local authority, "\(authority.name)":

          \(file)
      \(pem)
      \(replaced)Its key does not leave the \(isDatabase ? "database" : "folder"). Whoever has the key can impersonate sites with these names to everyone who trusts the authority:
      \(authority.permittedNames.joined(separator: ", ")).

      Chromium and Chrome on Linux (certutil is in Debian's libnss3-tools):

          mkdir -p "$HOME/.pki/nssdb"
          [ -e "$HOME/.pki/nssdb/cert9.db" ] || certutil -d "sql:$HOME/.pki/nssdb" -N --empty-password
          certutil -d "sql:$HOME/.pki/nssdb" -A -t C,, -n "\(authority.name)" -i \(file)

      Debian and Ubuntu, for curl, git and most programs:

          sudo install -m 644 \(file) /usr/local/share/ca-certificates/footbridge.crt
          sudo update-ca-certificates

      macOS, for Safari, Chrome and most programs:

          security add-trusted-cert -r trustRoot -k "$HOME/Library/Keychains/login.keychain-db" \(file)

      Firefox: Settings, Privacy & Security, View Certificates, Authorities, Import. Node: NODE_EXTRA_CA_CERTS=\(file)

      \(Self.chromium(publicKeyHash))
      """
  }

  /// The storage with the authority; nil if nothing is kept. A folder may be in use by a server.
  private static func storage(_ options: FootbridgeOptions) throws -> (any StateStorage)? {
    guard let state = options.state else { return nil }
    if PostgreSQLAddress.isOne(state) { return try ServerState(options, Logger(label: "footbridge"))?.storage }
    return try StateDirectory(path: state).authorityStorage()
  }

  private static func chromium(_ hash: String) -> String {
    """
    Chromium in tests, without trust that lasts (the flag works only with --user-data-dir, which Playwright sets):

        chromium --user-data-dir="$(mktemp -d)" --ignore-certificate-errors-spki-list=\(hash)

    SPKI SHA-256: \(hash)
    """
  }

  /// The path, quoted for a shell.
  private static func quoted(_ path: String) -> String {
    "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
