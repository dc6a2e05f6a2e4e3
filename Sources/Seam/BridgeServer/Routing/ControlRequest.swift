import BridgeCore
public import BridgeRuntime
import HTTPTypes
public import Sessions
package import WebServer

/// A request of the control API, for its route.
@BridgeActor
public struct ControlRequest {
  /// The request and its response.
  package let exchange: HTTPExchange
  /// The values of the path's variables.
  package let parameters: [String: String]
  /// The server's sessions.
  package let sessions: SessionRegistry
  /// The maximum size of the body in bytes.
  let bodyLimit: Int
  /// The body, if it was read before the route reads it.
  package var bytes: [UInt8]?
  /// The server's own address; nil for the one that the request has come to.
  package var serverOrigin: String?

  package init(
    exchange: HTTPExchange, parameters: [String: String], sessions: SessionRegistry, bodyLimit: Int,
    bytes: [UInt8]? = nil, serverOrigin: String? = nil
  ) {
    self.exchange = exchange
    self.parameters = parameters
    self.sessions = sessions
    self.bodyLimit = bodyLimit
    self.bytes = bytes
    self.serverOrigin = serverOrigin
  }

  /// The query.
  package var query: QueryItems { QueryItems(exchange.head.target.query) }

  /// A variable of the path. The router has checked that it exists.
  public func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// The session that the path names.
  package func session() async throws -> Session {
    let id = parameter("session")
    guard let session = try await sessions.session(id: id) else {
      throw ControlProblem.notFound("There is no session \(id).")
    }
    return session
  }

  /// A bridge's part of the session that the path names. A bridge that is switched off does not get here.
  public func bridge<Bridge: SessionBridge>(_ type: Bridge.Type) async throws -> Bridge {
    guard let bridge = try await session().bridge(type) else {
      throw ControlProblem.notFound("The session has no such bridge.")
    }
    return bridge
  }

  /// The members of the body. Throws if there are others.
  package func members(_ known: [String]) async throws -> [String: InputNode] {
    try await body().section(known)
  }

  /// The body, a JSON object. A missing body counts as an empty object.
  public func body() async throws -> InputNode {
    let bytes = try await collectBytes()
    guard !bytes.isEmpty else { return InputNode([:], source: Self.bodyName) }
    let type = exchange.head.fields[.contentType] ?? ""
    guard type.prefix(while: { $0 != ";" }).trimming(while: { $0 == " " }).lowercased() == "application/json" else {
      throw ControlProblem(
        status: .unsupportedMediaType, detail: "The body must have the Content-Type application/json.",
        fields: [.accept: "application/json"])
    }
    do throws(JSONError) {
      return InputNode(try JSONValue(parsing: bytes), source: Self.bodyName)
    } catch {
      throw ControlProblem.badRequest("The body is not valid JSON: \(error).")
    }
  }

  /// The bytes of the body.
  package func collectBytes() async throws -> [UInt8] {
    if let bytes { return bytes }
    guard let bytes = try await exchange.collectBody(limit: bodyLimit) else {
      throw ControlProblem(
        status: .contentTooLarge, detail: "The body is too large. At most \(bodyLimit) bytes are allowed.")
    }
    return bytes
  }

  private static let bodyName = "the body"
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
    var rest = drop(while: isTrimmed)
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return rest
  }
}

extension ControlRequest {
  /// Refuses a query with unknown names.
  package func checkQuery(_ known: [String]) throws(ControlProblem) {
    for name in query.names where !known.contains(String(name)) {
      let names = known.isEmpty ? "It has none." : "Known are: \(known.joined(separator: ", "))."
      let meant = Spelling.suggestion(for: String(name), in: known)
      throw .badRequest("The query of this resource has no parameter \(name).\(meant) \(names)")
    }
  }

  /// A whole number in the query; nil if it is missing.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest(
        "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound). It is \(text).")
    }
    return number
  }

  /// Whether a value of the query is `true`; false if it is missing.
  package func flag(_ name: String) throws(ControlProblem) -> Bool {
    switch try value(name) {
    case nil, "false": return false
    case "true": return true
    case let other?: throw .badRequest("\(name) is \(other). It must be true or false.")
    }
  }

  /// One of a few words in the query; nil if it is missing.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    _ type: Choice.Type
  ) throws(ControlProblem) -> Choice? {
    guard let text = try value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw .badRequest(
        "\(name) must be one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")). It is \(text).")
    }
    return choice
  }

  /// A value of the query; nil if it is missing.
  private func value(_ name: String) throws(ControlProblem) -> String? {
    if let value = query[Substring(name)] { return value }
    guard query.names.contains(Substring(name)) else { return nil }
    throw .badRequest("\(name) has no value. Leave it out, or give it one.")
  }

  /// The cursor of the last event that the browser received (HTML standard, "Last-Event-ID"); nil if the request has none.
  package func lastEventID() throws(ControlProblem) -> Int? {
    guard let name = HTTPField.Name("Last-Event-ID"), let text = exchange.head.fields[name], !text.isEmpty else {
      return nil
    }
    guard let cursor = Int(text), cursor >= 0 else {
      throw .badRequest("Last-Event-ID must be a cursor of the journal: a whole number from 0.")
    }
    return cursor
  }
}
