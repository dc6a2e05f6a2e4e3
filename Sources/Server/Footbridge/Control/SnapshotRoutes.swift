import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

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
      .json(["snapshots": .array(try await request.sessions.snapshots.names().map { ["name": .string($0)] })])
    },
    ControlRoute(.put, "/snapshots/{snapshot}") { request in
      let name = request.parameter("snapshot")
      // PostgreSQL has no texts with a null.
      guard name.utf8.count <= SessionName.limit, !name.utf8.contains(0) else {
        throw ControlProblem.unprocessable(
          "The name of a snapshot has at most \(SessionName.limit) bytes, and none of them is 0.")
      }
      let body = try await request.body()
      guard let node = try body.section(["session"])["session"] else { throw body.expected("an object with a session") }
      let id = try node.text()
      guard let session = try await request.sessions.session(id: id) else {
        throw ControlProblem.unprocessable("\(node.place) is \(id), and there is no such session.")
      }
      do {
        switch try await request.sessions.snapshots.save(session.snapshot, as: name) {
        case .saved: return .noContent
        case .tooMany:
          throw ControlProblem.conflict("There are \(NamedSnapshots.limit) snapshots already. Delete one.")
        case .tooLarge:
          throw ControlProblem.conflict(
            "The snapshots would have more than \(NamedSnapshots.byteLimit) bytes together. Delete one.")
        }
      } catch let error as StoreFailure {
        throw ControlProblem.unstored(error)
      }
    },
    ControlRoute(.delete, "/snapshots/{snapshot}") { request in
      let name = request.parameter("snapshot")
      do {
        guard try await request.sessions.snapshots.forget(name) else {
          throw ControlProblem.notFound("There is no snapshot \(name).")
        }
      } catch let error as StoreFailure {
        throw ControlProblem.unstored(error)
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
    let found: SessionSnapshot?
    do {
      found = try await snapshots.snapshot(name)
    } catch let error as DecodingError {
      logger.warning("The snapshot \(name) cannot be read: \(error)")
      throw OptionError(
        "\(node.place) is \(name), a snapshot that this version of Footbridge cannot read. Take it again.")
    }
    guard var snapshot = found else {
      let names = try await snapshots.names()
      let known = names.isEmpty ? "there is none" : "there are: \(names.joined(separator: ", "))"
      throw OptionError(
        "\(node.place) is \(name). It must be an exported session, or the name of a snapshot, and \(known).")
    }
    snapshot.profile.name = nil
    return withNewIDs(snapshot, name: newName)
  }
}
