import ArgumentParser
import BridgeCore
import BridgeRuntime
import ControlClient
import Essentials

/// `footbridge dashboard`: a new one-time address of the dashboard of a running server.
struct Dashboard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Print a one-time address of the dashboard of a running server.",
    usage: "footbridge dashboard [<options>] [<link>]",
    discussion: """
      Open the address within two minutes. It works in one tab, which may then use the dashboard until it is closed, for a week at most. A restart of a server with a state directory does not change that.
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
        let body = try body()
        if let link { try await check(link, connection, table) }
        let answer = try await connection.send(ControlCall(operation, body: body))
        try Terminal.print(answer?["url"]?.stringValue ?? "")
      } catch let failure as ControlFailure {
        throw Failure(failure)
      }
    }
  }

  /// Checks that a link is of this server's dashboard, or leads to a session of this server: after a restart, its port may be another one.
  private func check(_ link: String, _ connection: ControlConnection, _ table: OperationTable) async throws {
    let own = try await answer("getDashboard", [:], connection, table)?["url"]?.stringValue ?? ""
    let origin = Self.origin(of: link)
    if origin == Self.origin(of: own) || origin == LocalAddress.reachable(connection.server.origin.description) {
      return
    }
    if let session = Self.session(of: link) {
      for (operation, parameter) in [("getSession", "session"), ("getTranscript", "transcript")] {
        if (try? await answer(operation, [parameter: session], connection, table)) != nil { return }
      }
    }
    throw Failure.usage(
      "\(link) is a link of another server: the dashboard of \(connection.server.origin) is at \(own). Name the link's server with --server. "
        + "If it has stopped, look at the transcript of the failed test: footbridge show FILE")
  }

  private func answer(
    _ id: String, _ parameters: [String: String], _ connection: ControlConnection, _ table: OperationTable
  ) async throws -> JSONValue? {
    guard let operation = table.all.first(where: { $0.id == id }) else { return nil }
    return try await connection.send(ControlCall(operation, parameters))
  }

  /// The origin of an address, with the name that the server itself uses for this machine.
  private static func origin(of address: String) -> String {
    let end = address.range(of: "://").flatMap { scheme in
      address[scheme.upperBound...].firstIndex { "/#?".contains($0) }
    }
    return String(address[..<(end ?? address.endIndex)]).replacing("//localhost:", with: "//127.0.0.1:")
  }

  /// The session that a link leads to; nil for another place.
  private static func session(of link: String) -> String? {
    let path = link.split(separator: "#").last?.prefix { $0 != "?" }.split(separator: "/") ?? []
    return path.count > 1 && path[0] == "sessions" ? String(path[1]) : nil
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
