import BridgeRuntime
import Essentials
import Footbridge
import HTTP1

extension ServerRecord.Writer {
  /// Writes the record of a listening server for other commands of this user. ``end()`` removes it.
  func begin(_ server: FootbridgeServer, at addresses: ServerAddresses) {
    begin(
      ServerRecord(
        url: LocalAddress.reachable(addresses.plain), token: server.controlToken.reveal(),
        process: Int(getpid()), folder: FileManager.default.currentDirectoryPath))
  }
}

/// The address of a server on its own machine.
enum LocalAddress {
  /// The host to connect to, if a server listens on `host`.
  static func host(_ host: String) -> String {
    switch host {
    case "0.0.0.0", "*": "127.0.0.1"
    case "::", "[::]": "[::1]"
    case let address: address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
    }
  }

  /// The address of a listener, with a host to connect to.
  static func reachable(_ address: String) -> String {
    guard let origin = HTTPOrigin(address) else { return address }
    return "\(origin.scheme)://\(host(origin.host)):\(origin.port)"
  }
}
