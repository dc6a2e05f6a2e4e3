import BridgeCore
import BridgeRuntime
import ControlClient

/// Prints entries of journals as they come.
@BridgeActor
final class JournalFollower {
  private let stream: ControlOperation
  private let parameters: [String: String]
  private let connection: ControlConnection
  private let names: Names
  private let output: CtlOutput

  /// The pause between two searches for new sessions, in real time.
  private static let interval = Duration.seconds(1)

  nonisolated init(
    stream: ControlOperation, parameters: [String: String], connection: ControlConnection, names: Names,
    output: CtlOutput
  ) {
    self.stream = stream
    self.parameters = parameters
    self.connection = connection
    self.names = names
    self.output = output
  }

  /// Follows one session until it is deleted.
  func follow(_ session: Names.Item) async throws {
    try await follow(session, from: nil, amongSeveral: false)
  }

  /// Follows all sessions. Sessions that begin later are shown from their beginning.
  func followAll() async throws {
    var known = try await names.allSessions()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in known {
        group.addTask { try await self.follow(session, from: nil, amongSeveral: true) }
      }
      while true {
        try await Task.sleep(for: Self.interval)
        for session in try await names.allSessions() where !known.contains(where: { $0.id == session.id }) {
          known.append(session)
          group.addTask { try await self.follow(session, from: "0", amongSeveral: true) }
        }
      }
    }
  }

  private func follow(_ session: Names.Item, from start: String?, amongSeveral: Bool) async throws {
    var parameters = parameters
    parameters[ControlOperation.session] = session.id
    if let start { parameters["after"] = start }
    let call = ControlCall(stream, parameters)
    if let problem = call.problem { throw problem }
    do {
      try await connection.follow(call) { event in
        guard event.name == "journal", let entry = try? JSONValue(parsing: event.data) else { return }
        try output.print(entry: entry, of: session, amongSeveral: amongSeveral)
      }
    } catch ControlFailure.refused(status: 404, _, _) where amongSeveral {
      // The session has been deleted in the meantime.
    }
  }
}
