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
  ///
  /// First reads what stands after `serve` without the other commands. Below them, ArgumentParser makes its ninety options six times instead of
  /// twice, which is a third of a start in a debug build. Help and errors are those of the whole command line.
  static func main() async {
    StandardStream.prepare()
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.first == Serve.configuration.commandName,
      let serve = try? Serve.parseAsRoot(Array(arguments.dropFirst())) as? Serve
    else { return await main(nil) }
    do { try await serve.run() } catch { exit(withError: error) }
  }
}
