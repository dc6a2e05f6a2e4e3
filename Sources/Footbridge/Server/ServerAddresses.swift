/// The addresses of a server that listens.
public struct ServerAddresses: Sendable, Hashable {
  /// The address of the plain listener, such as `http://127.0.0.1:8080`.
  public var plain: String
  /// The address of the TLS listener, such as `https://127.0.0.1:8443`; nil when there is none.
  public var secure: String?
  /// The address of the dashboard, such as `http://127.0.0.1:41234`; nil when there is none.
  public var dashboard: String?
  /// The hash of the public key of the TLS listener or, without one, of listed sites, for Chromium's `--ignore-certificate-errors-spki-list`.
  public var publicKeyHash: String?

  /// The flags with which Chromium sees listed sites through this server; empty if it is no proxy.
  public var browserFlags: [String] = []

  /// Both, the plain one first.
  public var all: [String] { [plain] + (secure.map { [$0] } ?? []) }
}
