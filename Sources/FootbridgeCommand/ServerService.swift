import Footbridge
import ServiceLifecycle

/// The server between its start and the signal that ends it.
struct ServerService: Service {
  let server: FootbridgeServer

  func run() async throws {
    let addresses = try await server.startListening()
    for address in addresses.all { Terminal.print("footbridge: ready \(address)") }
    let token = await server.hasGeneratedControlToken ? " token=\(server.controlToken.reveal())" : ""
    Terminal.print("footbridge: control \(addresses.plain)\(FootbridgeServer.controlPath)\(token)")
    try await gracefulShutdown()
    await server.stop()
  }
}
