package import BridgeCore
import HTTP1

/// The resources of `footbridge mcp`: one for each readable path of the control API.
package struct AgentResources: Sendable {
  private let readable: [ControlOperation]

  private static let base = "footbridge://control"

  /// Makes the resources of a table.
  package init(_ table: OperationTable) {
    readable = table.all.filter { $0.method == "GET" && $0.kind == .answer }
  }

  /// The fixed resources and those of the sessions, in the form of `resources/list`.
  package func list(sessions: [(id: String, name: String)]) -> JSONValue {
    let fixed = readable.filter { !$0.path.contains("{") }.map { resource($0, $0.path, $0.summary) }
    let path = "/sessions/{\(ControlOperation.session)}"
    let ofSession = readable.filter { $0.path == path || $0.path == path + "/journal" }
    let ofSessions = sessions.flatMap { session in
      ofSession.map { operation in
        let name = session.name.isEmpty ? session.id : session.name
        return resource(
          operation, operation.path.replacing("{session}", with: session.id), "\(operation.summary): \(name)")
      }
    }
    return .array(fixed + ofSessions)
  }

  private func resource(_ operation: ControlOperation, _ path: String, _ title: String) -> JSONValue {
    [
      "uri": .string(Self.base + path), "name": .string(String(path.dropFirst())), "title": .string(title),
      "mimeType": "application/json",
    ]
  }

  /// The URI templates of all other resources, in the form of `resources/templates/list` (RFC 6570).
  package var templates: JSONValue {
    .array(
      readable.filter { $0.path.contains("{") }.map { operation in
        let query = settings(of: operation).map(\.name).joined(separator: ",")
        return [
          "uriTemplate": .string(Self.base + operation.path + (query.isEmpty ? "" : "{?\(query)}")),
          "name": .string(operation.id), "title": .string(operation.summary), "mimeType": "application/json",
        ]
      })
  }

  private func settings(of operation: ControlOperation) -> [ControlOperation.Parameter] {
    operation.parameters.filter { $0.place == .query && $0.name != "format" }
  }

  /// The request that reads a resource; nil if there is none with this address.
  package func call(_ uri: String) -> ControlCall? {
    guard uri.hasPrefix(Self.base + "/") else { return nil }
    let parts = uri.dropFirst(Self.base.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for operation in readable {
      guard var parameters = Self.variables(segments, of: operation) else { continue }
      for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard pair.count == 2, let value = PercentEncoding.decode(pair[1]),
          settings(of: operation).contains(where: { $0.name == pair[0] })
        else { return nil }
        parameters[pair[0]] = value
      }
      let call = ControlCall(operation, parameters)
      return call.problem == nil ? call : nil
    }
    return nil
  }

  /// The id of the session that a resource belongs to; nil if it belongs to none.
  package func session(of uri: String) -> String? { call(uri)?.parameters[ControlOperation.session] }

  private static func variables(_ segments: [String], of operation: ControlOperation) -> [String: String]? {
    let template = operation.path.split(separator: "/", omittingEmptySubsequences: false)
    guard template.count == segments.count else { return nil }
    var variables: [String: String] = [:]
    for (name, segment) in zip(template, segments) {
      if name.hasPrefix("{") {
        guard let value = PercentEncoding.decode(segment), !value.isEmpty else { return nil }
        variables[String(name.dropFirst().dropLast())] = value
      } else if name != segment {
        return nil
      }
    }
    return variables
  }
}
