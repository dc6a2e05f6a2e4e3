import ArgumentParser
import Essentials
import Footbridge
import UnixSignals

/// `footbridge exec`: a server for as long as a command runs.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a command with a server beside it, and exit with the command's exit code.",
    usage: "footbridge exec [<options>] -- <command> ...",
    discussion: """
      The port is a free one and nothing is kept, unless an option says otherwise. Standard output is the command's alone, and signals are \
      passed on to the command. Its environment has:

      FOOTBRIDGE_URL: the address of the server.
      FOOTBRIDGE_CONTROL_TOKEN: the token of the control API.
      FOOTBRIDGE_EXEC: 1, since the server ends with the command.
      FOOTBRIDGE_TLS_URL, with --tls-port: the address with https.
      FOOTBRIDGE_TLS_SPKI, with --tls-port: the value of Chromium's flag --ignore-certificate-errors-spki-list.
      FOOTBRIDGE_BROWSER_FLAGS, with --site: flags of Chromium, one a line.
      """
  )

  @Flag(help: "Fail with exit code 1 if the command succeeds, but the linter has found errors in its pages.")
  var strict = false

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
      var serverOptions = try options.optionsOfOneRun(sources)
      serverOptions.lintsFromStart = strict
      let server = try await FootbridgeServer.make(serverOptions, from: sources, logger)
      let addresses = try await server.start()
      let record = ServerRecord.Writer()
      await record.begin(server, at: addresses)
      var environment = [
        ServerChoice.variable: addresses.plain, ServerOption.controlToken.variable: await server.controlToken.reveal(),
        // The two variables are mutually exclusive, and the command may start a server itself.
        ServerOption.controlTokenFile.variable: "", "FOOTBRIDGE_EXEC": "1",
      ]
      environment["FOOTBRIDGE_TLS_URL"] = addresses.secure
      environment["FOOTBRIDGE_TLS_SPKI"] = addresses.publicKeyHash
      if !addresses.browserFlags.isEmpty {
        environment["FOOTBRIDGE_BROWSER_FLAGS"] = addresses.browserFlags.joined(separator: "\n")
      }
      let code = await CommandProcess.run(command, environment: environment, passingOn: signals)
      await record.end()
      let lint = strict ? await server.concludeLint() : nil
      await server.stop()
      throw ExitCode(lint.map { Self.code($0, after: code) } ?? code)
    }
  }

  /// The exit code after a command that has ended with `code`. Prints the linter's findings.
  private static func code(_ lint: FootbridgeServer.LintSummary, after code: Int32) -> Int32 {
    if lint.errorCount == 0 { return code }
    let errors = lint.errorCount == 1 ? "1 error" : "\(lint.errorCount) errors"
    Terminal.printError("The linter has found \(errors) in pages. docs/lint.md explains the rules.")
    for line in lint.lines { Terminal.printError(line) }
    return code == 0 ? 1 : code
  }
}
