import ArgumentParser
import BridgeRuntime
import Footbridge
import Foundation
import Logging
import ServiceLifecycle
import WebServer

/// `footbridge serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve a site with the native host behind it.")

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await Terminal.run {
      let sources = try options.sources()
      let logger = try options.logger(sources)
      let server = try await makeServer(try options.options(sources), logger)
      try await ServiceGroup(
        services: [ServerService(server: server)],
        gracefulShutdownSignals: [.sigint, .sigterm],
        logger: Logger(label: "footbridge.lifecycle") { _ in SwiftLogNoOpLogHandler() }
      ).run()
    }
  }

  private func makeServer(_ options: FootbridgeOptions, _ logger: Logger) async throws -> FootbridgeServer {
    do {
      return try await FootbridgeServer(options: options, logger: logger)
    } catch let error as FootbridgeError {
      switch error {
      case .rootMissing: throw Failure.noInput(error.description)
      case .stateUnusable: throw Failure(message: error.description, code: EX_CANTCREAT)
      case .siteOriginInvalid, .urlInvalid, .upstreamInvalid: throw Failure.usage(error.description)
      case .incompleteBuild: throw Failure.software(error.description)
      }
    }
  }
}
