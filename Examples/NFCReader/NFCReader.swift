import BridgeCore
import Footbridge
import Foundation
import Logging

/// Footbridge as a library, with a capability of the app's own: `nfc.read`, which every page can ask for.
///
///     swift run NFCReader [PORT [ROOT]]
///
/// The host code is what it would be on iOS, where the same call stands in the app that owns the `BridgeHost`.
@main
struct NFCReader {
  static func main() async throws {
    let arguments = CommandLine.arguments
    var options = FootbridgeOptions()
    options.port = arguments.count > 1 ? Int(arguments[1]) ?? options.port : options.port
    options.root = arguments.count > 2 ? arguments[2] : nil
    options.state = nil
    options.onPage = { host in
      host.registerCustomCapability("nfc.read", version: "1.0") { request, responder in
        guard let documentNumber = request.payload.data?["documentNumber"] else {
          let error = BridgeErrorPayload(
            code: "INVALID_REQUEST",
            message: "nfc.read needs the documentNumber.",
            recoverable: false
          )
          return responder.respond(status: .error, data: nil, error: error)
        }
        responder.respond(
          status: .success,
          data: ["chipRead": .bool(true), "documentNumber": documentNumber],
          error: nil
        )
      }
    }
    let server = try await FootbridgeServer(options: options, logger: Logger(label: "nfc-reader"))
    let address = try await server.start().plain
    // Not `print`, which keeps the line back when its reader is a program. Where nobody reads it, the server is there all the same.
    try? FileHandle.standardOutput.write(contentsOf: Data("nfc-reader: ready \(address)\n".utf8))
    // Until the process is ended from outside.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }
}
