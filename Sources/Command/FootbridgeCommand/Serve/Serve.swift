import ArgumentParser
import BridgeRuntime
import Footbridge
import Logging
import ServiceLifecycle
import Sessions
import SiteServer

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
      let record = ServerRecord.Writer()
      await server.announceWhenListening(recordedBy: record)
      let group = ServiceGroup(
        services: [server],
        gracefulShutdownSignals: [.sigint, .sigterm],
        logger: Logger(label: "footbridge.lifecycle") { _ in SwiftLogNoOpLogHandler() })
      do {
        try await group.run()
      } catch {
        await record.end()
        throw error
      }
      await record.end()
    }
  }
}

/// Shared by all commands that start a server.
extension FootbridgeServer {
  /// Creates a server, in a process that leaves no core dump. Throws ``Failure``.
  static func make(
    _ options: FootbridgeOptions, from sources: OptionSources, _ logger: Logger,
    clock: any BridgeClock = SystemBridgeClock()
  ) async throws -> FootbridgeServer {
    CoreDumps.switchOff()
    do {
      let server = try FootbridgeServer(options: options, logger: logger, clock: clock)
      if let (path, _) = sources[.import] {
        let name = sources.origin(of: path) + path
        try await server.begin(with: try InputFile.read(path, named: name, limit: 32 << 20), named: name)
      }
      return server
    } catch let error as OptionError {
      throw Failure.data(error.description)
    } catch let error as FootbridgeError {
      throw Failure(error, sources)
    } catch let error as SiteError {
      throw Failure(error, sources)
    } catch let error as StateError {
      throw Failure(error, sources)
    }
  }

  /// Makes the server print its addresses, and those of the control API and the dashboard, as soon as it listens. Also writes the record
  /// for other commands.
  func announceWhenListening(recordedBy record: ServerRecord.Writer) {
    onListening = { [unowned self] addresses in
      record.begin(self, at: addresses)
      let token = hasGeneratedControlToken ? " token=\(controlToken.reveal())" : ""
      let control = "footbridge: control \(addresses.plain)\(Self.controlPath)\(token)"
      // A shell would take `<` for a redirection if the line is copied into it.
      let flags = addresses.browserFlags.map { $0.contains("<") ? "'\($0)'" : $0 }
      let browser = flags.isEmpty ? [] : ["footbridge: browser \(flags.joined(separator: " "))"]
      let dashboard = newDashboardAddress().map { ["footbridge: dashboard \($0)"] } ?? []
      Terminal.announce(
        addresses.all.map { "footbridge: ready \($0)" } + browser + [control] + dashboard, of: addresses.plain)
    }
  }
}
