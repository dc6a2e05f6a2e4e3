import BridgeCore
import BridgeRuntime
import HTTPTypes

/// Routes of exported sessions, and of snapshots that tests have named. Sessions can begin with both.
enum SnapshotRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/export", query: ["secrets", "transcript"]) { request in
      .json(
        try SessionFile.json(
          of: try await request.session(), withSecrets: try request.flag("secrets"),
          withTranscript: try request.flag("transcript"), at: request.sessions.clock.now))
    },
    ControlRoute(.get, "/snapshots") { request in
      .json(["snapshots": .array(request.sessions.snapshots.names.map { ["name": .string($0)] })])
    },
    ControlRoute(.put, "/snapshots/{snapshot}") { request in
      let name = request.parameter("snapshot")
      guard name.utf8.count <= SessionName.limit else {
        throw ControlProblem.unprocessable("The name of a snapshot has at most \(SessionName.limit) bytes.")
      }
      let body = try await request.body()
      guard let node = try body.section(["session"])["session"] else { throw body.expected("an object with a session") }
      let id = try node.text()
      guard let session = try await request.sessions.session(id: id) else {
        throw ControlProblem.unprocessable("\(node.place) is \(id), and there is no such session.")
      }
      guard request.sessions.snapshots.keep(session.snapshot, as: name) else {
        throw ControlProblem.conflict("There are \(NamedSnapshots.limit) snapshots already. Delete one.")
      }
      return .noContent
    },
    ControlRoute(.delete, "/snapshots/{snapshot}") { request in
      let name = request.parameter("snapshot")
      guard request.sessions.snapshots.forget(name) else {
        throw ControlProblem.notFound("There is no snapshot \(name).")
      }
      return .noContent
    },
  ]
}

extension SessionRegistry {
  /// Reads the state of a new session: the name of a snapshot, whose orders get new ids, or an exported session.
  func snapshot(_ node: InputNode, name newName: String) async throws -> SessionSnapshot {
    if node.isMapping { return try await withFreeIDs(try await SessionFile.snapshot(node, bridgeTable), name: newName) }
    let name = try node.text()
    guard var snapshot = snapshots[name] else {
      let names = snapshots.names.isEmpty ? "there is none" : "there are: \(snapshots.names.joined(separator: ", "))"
      throw OptionError(
        "\(node.place) is \(name). It must be an exported session, or the name of a snapshot, and \(names).")
    }
    snapshot.profile.name = nil
    return withNewIDs(snapshot, name: newName)
  }
}
