import ArgumentParser
import Footbridge
import Logging
import ServiceLifecycle

/// `footbridge serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a site with a simulated native host behind it.")

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await Terminal.run {
      let sources = try options.sources()
      let logger = try options.logger(sources)
      let server = try await FootbridgeServer.make(try options.options(sources), from: sources, logger)
      await server.announceWhenListening()
      try await ServiceGroup(
        services: [server],
        gracefulShutdownSignals: [.sigint, .sigterm],
        logger: Logger(label: "footbridge.lifecycle") { _ in SwiftLogNoOpLogHandler() }
      ).run()
    }
  }
}
