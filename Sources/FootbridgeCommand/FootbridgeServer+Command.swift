import BridgeRuntime
import Footbridge
import Foundation
import Logging
import WebServer

/// What all commands that start a server say when it cannot be.
extension FootbridgeServer {
  /// Makes a server of the options that `sources` have given. Throws ``Failure``.
  static func make(
    _ options: FootbridgeOptions, from sources: OptionSources, _ logger: Logger
  ) throws -> FootbridgeServer {
    do {
      return try FootbridgeServer(options: options, logger: logger)
    } catch let error as FootbridgeError {
      throw Failure(error, sources)
    } catch let error as WebServerError {
      throw Failure.unavailable(error.description)
    }
  }

  /// Listens, and returns the server's addresses. Throws ``Failure``.
  func startListening() throws -> ServerAddresses {
    do {
      return try start()
    } catch let error as WebServerError {
      switch error {
      case .permissionDenied: throw Failure.noPermission(error.description)
      case .noSuchAddress: throw Failure.usage(error.description)
      case .addressInUse, .cannotListen, .cannotWatch, .libevMissing, .loopUnavailable:
        throw Failure.unavailable(error.description)
      }
    }
  }
}
