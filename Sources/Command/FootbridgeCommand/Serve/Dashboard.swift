import ArgumentParser
import BridgeCore
import BridgeRuntime
import ControlClient

/// `footbridge dashboard`: a new one-time address of the dashboard of a running server.
struct Dashboard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Print a one-time address of the dashboard of a running server.",
    usage: "footbridge dashboard [<options>] [<link>]",
    discussion: """
      Open the address within two minutes. It works in one tab, which may then use the dashboard until it is closed or the server stops.
      """)

  @OptionGroup var choice: ServerChoice

  @Argument(
    help: ArgumentHelp("The dashboard address to open, as a failed test prints it.", valueName: "link"))
  var link: String?

  func run() async throws {
    try await Terminal.run {
      let table = try ControlTable().operations
      do {
        let connection = try await ControlConnection(to: try choice.find(), table)
        guard let operation = table.all.first(where: { $0.id == "enterDashboard" }) else { return }
        let answer = try await connection.send(ControlCall(operation, body: try body()))
        try Terminal.print(answer?["url"]?.stringValue ?? "")
      } catch let failure as ControlFailure {
        throw Failure(failure)
      }
    }
  }

  /// The body of the request: the part after `#` in the link.
  private func body() throws -> JSONValue? {
    guard let link else { return nil }
    guard let mark = link.firstIndex(of: "#") else {
      throw Failure.usage("\(link) is not an address of the dashboard. It must have a # and the view to show.")
    }
    return ["to": .string(String(link[link.index(after: mark)...]))]
  }
}
