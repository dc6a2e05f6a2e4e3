import BridgeRuntime
import Footbridge
import ServiceLifecycle
import WebServer

/// The server between its start and the signal that ends it.
struct ServerService: Service {
  let server: FootbridgeServer

  func run() async throws {
    let address = try await start()
    Terminal.print("footbridge: ready \(address)")
    try await gracefulShutdown()
    await server.stop()
  }

  private func start() async throws -> String {
    do {
      return try await server.start()
    } catch let error as WebServerError {
      switch error {
      case .permissionDenied: throw Failure.noPermission(error.description)
      case .noSuchAddress: throw Failure.usage(error.description)
      case .addressInUse, .cannotListen, .loopUnavailable: throw Failure.unavailable(error.description)
      }
    }
  }
}
