import ArgumentParser
import BridgeCore
import BridgeRuntime
import Essentials
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

  @Argument(help: .hidden)
  var arguments: [String] = []

  func run() async throws {
    try await Terminal.run {
      if let word = arguments.first { throw Failure.usage(Self.advice(on: word)) }
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

extension Serve {
  /// What somebody has probably meant with a word that is no option. Without the name of a command, the first word is one of serve's.
  static func advice(on word: String) -> String {
    var status = stat()
    if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      return "\(word) is a folder. To serve it, write: footbridge serve --root \(word)"
    }
    if word.hasPrefix("http://") || word.hasPrefix("https://") {
      return "\(word) is an address. To serve its site, write: footbridge serve --proxy \(word)"
    }
    let commands = FootbridgeCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    if let command = Spelling.nearest(to: word, in: commands) {
      return "There is no command \(word). Did you mean \(command)? footbridge --help lists all."
    }
    return "serve takes options only, and \(word) is none. footbridge serve --help lists them."
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
