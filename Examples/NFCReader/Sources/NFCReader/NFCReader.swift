import BridgeRuntime
import Footbridge
import Foundation
import Logging
import ServiceLifecycle

/// Footbridge as a library, with a capability of the app's own, which every page can ask for.
///
///     NFCReader [PORT [ROOT]]
@main
struct NFCReader {
  /// Why the program ends: a line for people, and an exit code of `sysexits.h`.
  struct Failure: Error {
    let message: String
    let code: Int32
  }

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let failure = failure(error)
      try? FileHandle.standardError.write(contentsOf: Data("nfc-reader: \(failure.message)\n".utf8))
      exit(failure.code)
    }
  }

  @BridgeActor
  private static func run(_ arguments: [String]) async throws {
    let server = try FootbridgeServer(options: options(arguments), logger: Logger(label: "nfc-reader"))
    server.onListening = { addresses in
      // Not `print`, which keeps the line back when its reader is a program.
      try? FileHandle.standardOutput.write(contentsOf: Data("nfc-reader: ready \(addresses.plain)\n".utf8))
    }
    // Ctrl-C and SIGTERM stop the server in order.
    try await ServiceGroup(
      services: [server],
      gracefulShutdownSignals: [.sigint, .sigterm],
      logger: Logger(label: "nfc-reader.lifecycle") { _ in SwiftLogNoOpLogHandler() }
    ).run()
  }

  private static func options(_ arguments: [String]) throws(Failure) -> FootbridgeOptions {
    var options = FootbridgeOptions()
    guard arguments.count <= 2 else { throw usage("Too many arguments.") }
    if let port = arguments.first {
      guard let number = UInt16(port) else { throw usage("\(port) is not a port, a number from 0 to 65535.") }
      options.port = Int(number)
    }
    options.root = arguments.count > 1 ? arguments[1] : nil
    options.state = nil
    options.onPage = { host in ChipReader.register(on: host) }
    options.bridges.register(AccountBridge())
    return options
  }

  private static func usage(_ message: String) -> Failure {
    Failure(message: "\(message) Usage: NFCReader [PORT [ROOT]]", code: EX_USAGE)
  }

  private static func failure(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: failure
    case FootbridgeError.rootMissing(let path):
      Failure(message: "\(path) is not a folder that can be read. Give the folder of your site.", code: EX_NOINPUT)
    case let error as FootbridgeError: Failure(message: error.description, code: EX_CONFIG)
    case let error as StateError: Failure(message: error.description, code: EX_CANTCREAT)
    // The server cannot listen: the error says on which port, and why.
    default: Failure(message: "\(error)", code: EX_UNAVAILABLE)
    }
  }
}
