import BridgeRuntime
import Essentials
import WebServer

// Echoes text and binary WebSocket messages, for public test suites and the benchmarks. Uses TLS if it gets the files of a certificate and its
// key. Listens on 127.0.0.1; port 0 picks a free one, which the line on standard output names.

let arguments = CommandLine.arguments
guard [2, 4].contains(arguments.count), let port = Int(arguments[1]), 0...65_535 ~= port else {
  try? StandardStream.error.write("usage: EchoServer PORT [CERTIFICATE KEY]\n")
  exit(EX_USAGE)
}

do {
  try await serve(port: port, certificate: Array(arguments.dropFirst(2)))
} catch {
  try? StandardStream.error.write("EchoServer: \(error)\n")
  exit(EX_UNAVAILABLE)
}

@BridgeActor
func serve(port: Int, certificate files: [String]) async throws {
  let server = try HTTPServer { exchange in
    do {
      let connection = try exchange.acceptWebSocket()
      connection.onMessage = { [unowned connection] message in
        switch message.kind {
        case .text: connection.sendText(message.bytes)
        case .binary: connection.sendBinary(message.bytes)
        }
      }
    } catch let error as WebSocketHandshakeError {
      exchange.respond(error.status, fields: error.fields, body: Array("\(error)\n".utf8))
    } catch {
      // The client has gone.
    }
  }
  let contents = try files.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
  let context = contents.isEmpty ? nil : try TLSContext.server(certificateChain: contents[0], privateKey: contents[1])
  let boundPort = try server.listen(host: "127.0.0.1", port: port, tls: context.map { context in { context } })
  let scheme = context == nil ? "ws" : "wss"
  try StandardStream.output.write("EchoServer: ready \(scheme)://127.0.0.1:\(boundPort)\n")
  try await Task.sleep(for: .seconds(Int64.max / 1_000_000_000))
}
