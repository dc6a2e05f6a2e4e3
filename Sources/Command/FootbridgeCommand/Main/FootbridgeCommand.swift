import ArgumentParser
import BridgeRuntime
import Footbridge

/// The command line.
@main
struct FootbridgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "footbridge",
    abstract: "Simulates the native iOS host of a WebView app, so that its web page runs unchanged in plain Chromium.",
    version: FootbridgeServer.version,
    subcommands: [
      Init.self, Serve.self, Exec.self, Browse.self, Dashboard.self, Show.self, Record.self, Verify.self, Ctl.self,
      MCP.self,
      Catalog.self,
      Bridges.self, Trust.self,
      Health.self,
    ],
    defaultSubcommand: Serve.self
  )

  /// Prepares the process and runs the command that its arguments name.
  static func main() async {
    StandardStream.prepare()
    await main(nil)
  }
}
