import BridgeRuntime
import Footbridge
import Logging

/// What all commands that start a server share.
extension FootbridgeServer {
  /// Creates a server. Throws ``Failure``.
  static func make(
    _ options: FootbridgeOptions, from sources: OptionSources, _ logger: Logger
  ) throws -> FootbridgeServer {
    do {
      return try FootbridgeServer(options: options, logger: logger)
    } catch let error as FootbridgeError {
      throw Failure(error, sources)
    } catch let error as StateError {
      throw Failure(error, sources)
    }
  }

  /// Makes the server print its addresses, and that of the control API, as soon as it listens.
  func announceWhenListening() {
    onListening = { [unowned self] addresses in
      let token = hasGeneratedControlToken ? " token=\(controlToken.reveal())" : ""
      let control = "footbridge: control \(addresses.plain)\(Self.controlPath)\(token)"
      Terminal.announce(addresses.all.map { "footbridge: ready \($0)" } + [control], of: addresses.plain)
    }
  }
}
