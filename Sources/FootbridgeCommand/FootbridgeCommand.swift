import ArgumentParser
import Footbridge

/// The command line.
@main
struct FootbridgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "footbridge",
    abstract: "Plays the native iOS host of a WebView app, so that its web page runs unchanged in plain Chromium.",
    version: Footbridge.version,
    subcommands: [Serve.self, Exec.self, Catalog.self, Trust.self],
    defaultSubcommand: Serve.self
  )
}
