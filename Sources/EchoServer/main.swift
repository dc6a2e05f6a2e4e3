import BridgeRuntime
import Foundation
import WebServer

// Echoes text and binary messages: what public WebSocket suites and the benchmarks drive.

guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]), 0...65_535 ~= port else {
  FileHandle.standardError.write(Data("usage: EchoServer PORT\n".utf8))
  exit(EX_USAGE)
}

do {
  try await serve(port: port)
} catch {
  FileHandle.standardError.write(Data("EchoServer: \(error)\n".utf8))
  exit(EX_UNAVAILABLE)
}

@BridgeActor
func serve(port: Int) async throws {
  let server = try WebServer { exchange in
    do {
      let connection = try exchange.acceptWebSocket()
      connection.onMessage = { [unowned connection] message in
        switch message.kind {
        case .text: connection.sendText { $0.append(contentsOf: message.bytes) }
        case .binary: connection.sendBinary(message.bytes)
        }
      }
    } catch let error as WebSocketHandshakeError {
      exchange.respond(error.status, fields: error.fields, body: Array("\(error)\n".utf8))
    } catch {
      // The client has gone; there is nobody to answer.
    }
  }
  let bound = try server.listen(host: "127.0.0.1", port: port)
  FileHandle.standardOutput.write(Data("EchoServer: ready ws://127.0.0.1:\(bound)\n".utf8))
  try await Task.sleep(for: .seconds(Int64.max / 1_000_000_000))
}
