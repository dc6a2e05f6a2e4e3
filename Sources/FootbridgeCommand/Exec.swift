import ArgumentParser
import Footbridge
import Essentials
import UnixSignals

/// `footbridge exec`: a server for as long as a command runs.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a command with a server beside it, and exit with the command's exit code.",
    usage: "footbridge exec [<options>] -- <command> ...",
    discussion: """
      The command finds the server's address in FOOTBRIDGE_URL and the control API's token in FOOTBRIDGE_CONTROL_TOKEN. With --tls-port, the
      address with https is in FOOTBRIDGE_TLS_URL, and what Chromium takes it with (--ignore-certificate-errors-spki-list) in
      FOOTBRIDGE_TLS_SPKI. Signals are passed on to the command. Standard output is the command's alone.
      The port is a free one and nothing is kept, unless an option says otherwise.
      """
  )

  @OptionGroup var options: ServeOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The command, with its arguments, after two dashes.", valueName: "command"))
  var command: [String] = []

  func run() async throws {
    try await Terminal.run {
      guard !command.isEmpty else { throw Failure.usage("exec needs a command: footbridge exec -- npm test") }
      // From here on, no signal ends the server while its command still runs.
      let signals = await UnixSignalsSequence(trapping: .sighup, .sigint, .sigquit, .sigterm, .sigusr1, .sigusr2)
      let sources = try options.sources()
      let logger = try options.logger(sources)
      let server = try await FootbridgeServer.make(try serverOptions(sources), from: sources, logger)
      let addresses = try await server.start()
      var environment = [
        "FOOTBRIDGE_URL": addresses.plain, ServerOption.controlToken.variable: await server.controlToken.reveal(),
        // The variables exclude each other, should the command start a server itself.
        ServerOption.controlTokenFile.variable: "",
      ]
      environment["FOOTBRIDGE_TLS_URL"] = addresses.secure
      environment["FOOTBRIDGE_TLS_SPKI"] = addresses.publicKeyHash
      let code = await run(environment: environment, passingOn: signals)
      await server.stop()
      throw ExitCode(code)
    }
  }

  /// The options, with a free port and no state directory unless an option says otherwise. No page reloads by itself during a test.
  private func serverOptions(_ sources: OptionSources) throws -> FootbridgeOptions {
    var serverOptions = try options.options(sources)
    if sources[.port] == nil { serverOptions.port = 0 }
    if sources[.state] == nil { serverOptions.state = nil }
    serverOptions.watchesRoot = false
    return serverOptions
  }

  /// Runs the command to its end and returns its exit code. As in a shell, that is 127 if the command does not exist, and 126 if it cannot
  /// be run.
  private func run(environment: [String: String], passingOn signals: UnixSignalsSequence) async -> Int32 {
    let process: CommandProcess
    do {
      process = try CommandProcess(command, environment: environment)
    } catch {
      Terminal.printError("\(command[0]) cannot be run: \(String(cString: strerror(error.number)))")
      return error.number == ENOENT ? 127 : 126
    }
    let passingOn = Task {
      for await signal in signals { process.passOn(signal.rawValue) }
    }
    await process.waitForEnd()
    passingOn.cancel()
    await passingOn.value
    return process.exitCode()
  }
}
