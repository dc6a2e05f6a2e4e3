import Footbridge
import ServiceLifecycle

/// The server between its start and the signal that ends it.
struct ServerService: Service {
  let server: FootbridgeServer

  func run() async throws {
    let addresses = try await server.startListening()
    let token = await server.hasGeneratedControlToken ? " token=\(server.controlToken.reveal())" : ""
    let control = "footbridge: control \(addresses.plain)\(FootbridgeServer.controlPath)\(token)"
    Terminal.announce(addresses.all.map { "footbridge: ready \($0)" } + [control], of: addresses.plain)
    try await gracefulShutdown()
    await server.stop()
  }
}
