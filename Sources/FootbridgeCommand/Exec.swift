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
      FOOTBRIDGE_TLS_SPKI. With --site, Chromium's flags are in FOOTBRIDGE_BROWSER_FLAGS, one a line. Signals are passed on to the command. Standard output is the command's alone.
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
      let server = try await FootbridgeServer.make(try options.optionsOfOneRun(sources), from: sources, logger)
      let addresses = try await server.start()
      var environment = [
        "FOOTBRIDGE_URL": addresses.plain, ServerOption.controlToken.variable: await server.controlToken.reveal(),
        // The variables exclude each other, should the command start a server itself.
        ServerOption.controlTokenFile.variable: "",
      ]
      environment["FOOTBRIDGE_TLS_URL"] = addresses.secure
      environment["FOOTBRIDGE_TLS_SPKI"] = addresses.publicKeyHash
      if !addresses.browserFlags.isEmpty {
        environment["FOOTBRIDGE_BROWSER_FLAGS"] = addresses.browserFlags.joined(separator: "\n")
      }
      let code = await CommandProcess.run(command, environment: environment, passingOn: signals)
      await server.stop()
      throw ExitCode(code)
    }
  }
}
