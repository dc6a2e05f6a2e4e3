import Footbridge
import ServiceLifecycle

/// The server between its start and the signal that ends it.
struct ServerService: Service {
  let server: FootbridgeServer

  func run() async throws {
    let address = try await server.startListening()
    Terminal.print("footbridge: ready \(address)")
    try await gracefulShutdown()
    await server.stop()
  }
}
