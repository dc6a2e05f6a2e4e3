package import BridgeCore

/// One connection of the Model Context Protocol, as a state machine without input and output: it takes messages, and returns answers and actions.
package struct AgentSession: Sendable {
  /// An action that follows from a client's message.
  package enum Action: Sendable, Hashable {
    /// Send this message to the client.
    case send(JSONValue)
    /// Do this work, then call ``finish(_:with:)``.
    case start(id: JSONValue, Work)
    /// Stop the work for this id.
    case stop(id: JSONValue)
    /// Watch these resources, and call ``isWatching(_:)`` once every later change will be seen.
    case watch([String], id: JSONValue)
    /// Watch this resource no longer.
    case unwatch(String)
  }

  /// Work that needs the server.
  package enum Work: Sendable, Hashable {
    /// Use a tool.
    case call(tool: String, arguments: JSONValue)
    /// List the resources.
    case listResources
    /// Read a resource.
    case read(uri: String)
  }

  /// A request that has no answer yet.
  private struct Request: Sendable {
    let method: String
    let isNamed: Bool
    /// The resources of a notification stream; nil if the request is none.
    var resources: [String]?
  }

  private let tools: AgentTools
  private let resources: AgentResources
  private let identity: JSONValue
  private let instructions: String
  private var hasBegun = false
  private var requests: [JSONValue: Request] = [:]
  /// The resources that a client of an earlier revision watches.
  private var watched: Set<String> = []

  /// The most open requests, and the most watched resources.
  static let limit = 64

  /// Creates the connection of a server.
  package init(tools: AgentTools, resources: AgentResources, version: String, instructions: String) {
    self.tools = tools
    self.resources = resources
    self.instructions = instructions
    identity = ["name": "footbridge", "title": "Footbridge", "version": .string(version)]
  }

  // MARK: From the client

  /// Takes a line that the client has sent.
  package mutating func receive(_ line: AgentLines.Line) -> [Action] {
    do throws(AgentError) {
      guard case .text(let bytes) = line else {
        throw AgentError(.invalidRequest, "The message is longer than \(AgentLines.usualLimit) bytes.")
      }
      switch try AgentMessage(bytes) {
      case .request(let id, let method, let parameters):
        do throws(AgentError) {
          return try receive(id, method, parameters)
        } catch {
          return [.send(error.answer(to: id))]
        }
      case .notification(let method, let parameters): return receive(method, parameters)
      case .answer: return []
      }
    } catch {
      return error.code == .ignored ? [] : [.send(error.answer(to: error.id))]
    }
  }

  private mutating func receive(
    _ id: JSONValue, _ method: String, _ parameters: [String: JSONValue]
  ) throws(AgentError) -> [Action] {
    guard requests[id] == nil else {
      throw AgentError(.invalidRequest, "The id \(id.jsonText) is that of a request without an answer yet.")
    }
    let isNamed = AgentRevision.isNamed(in: parameters)
    if isNamed {
      try AgentRevision.check(parameters)
    } else if !hasBegun, method != "initialize", method != "ping" {
      throw AgentError(.invalidRequest, "The connection must begin with initialize.")
    }
    let request = Request(method: method, isNamed: isNamed)
    switch (method, isNamed) {
    case ("server/discover", true):
      return [.send(answer(to: id, request, discovery))]
    case ("subscriptions/listen", true): return try listen(id, request, parameters)
    case ("initialize", false): return [.send(answer(to: id, request, try begin(parameters)))]
    case ("ping", false): return [.send(answer(to: id, request, [:]))]
    case ("resources/subscribe", false):
      let uris = try watch(parameters)
      requests[id] = request
      return [.watch(uris, id: id)]
    case ("resources/unsubscribe", false):
      let uri = try Self.uri(parameters)
      return [.send(answer(to: id, request, [:]))] + (watched.remove(uri) == nil ? [] : [.unwatch(uri)])
    case ("tools/list", _):
      try Self.checkPage(parameters)
      return [.send(answer(to: id, request, ["tools": tools.list]))]
    case ("resources/templates/list", _):
      try Self.checkPage(parameters)
      return [.send(answer(to: id, request, ["resourceTemplates": resources.templates]))]
    case ("resources/list", _):
      try Self.checkPage(parameters)
      return try start(id, request, .listResources)
    case ("resources/read", _): return try start(id, request, .read(uri: try Self.uri(parameters)))
    case ("tools/call", _): return try start(id, request, try call(parameters))
    default: throw AgentError(.unknownMethod, "There is no method \(method).")
    }
  }

  private mutating func receive(_ method: String, _ parameters: [String: JSONValue]) -> [Action] {
    guard method == "notifications/cancelled", let id = parameters["requestId"], let request = requests[id],
      request.method != "resources/subscribe"
    else { return [] }
    requests[id] = nil
    return request.resources.map { $0.map(Action.unwatch) } ?? [.stop(id: id)]
  }

  private mutating func start(_ id: JSONValue, _ request: Request, _ work: Work) throws(AgentError) -> [Action] {
    try checkLoad()
    requests[id] = request
    return [.start(id: id, work)]
  }

  private func checkLoad() throws(AgentError) {
    guard requests.count < Self.limit else {
      throw AgentError(.busy, "\(Self.limit) requests are under way. Wait for the answer to one of them.")
    }
  }

  private static func checkPage(_ parameters: [String: JSONValue]) throws(AgentError) {
    guard parameters["cursor"] == nil else {
      throw AgentError(.invalidParameters, "There is no such cursor: every list is whole.")
    }
  }

  private static func uri(_ parameters: [String: JSONValue]) throws(AgentError) -> String {
    guard case .string(let uri)? = parameters["uri"] else {
      throw AgentError(.invalidParameters, "The parameter uri must be a text.")
    }
    return uri
  }

  private func call(_ parameters: [String: JSONValue]) throws(AgentError) -> Work {
    guard case .string(let name)? = parameters["name"] else {
      throw AgentError(.invalidParameters, "The parameter name must be a text.")
    }
    guard tools.has(name) else { throw AgentError(.invalidParameters, "There is no tool \(name).") }
    let arguments = parameters["arguments"] ?? [:]
    guard arguments.objectValue != nil else {
      throw AgentError(.invalidParameters, "The parameter arguments must be an object.")
    }
    return .call(tool: name, arguments: arguments)
  }

  // MARK: The beginning

  private static let capabilities: JSONValue = ["tools": [:], "resources": ["subscribe": true]]

  private mutating func begin(_ parameters: [String: JSONValue]) throws(AgentError) -> [String: JSONValue] {
    guard !hasBegun else { throw AgentError(.invalidRequest, "The connection has begun already.") }
    guard case .string(let version)? = parameters["protocolVersion"] else {
      throw AgentError(.invalidParameters, "The parameter protocolVersion must be a text.")
    }
    hasBegun = true
    return [
      "protocolVersion": .string(AgentRevision.agreed(on: version)), "capabilities": Self.capabilities,
      "serverInfo": identity, "instructions": .string(instructions),
    ]
  }

  private var discovery: [String: JSONValue] {
    [
      "supportedVersions": .array(AgentRevision.all.map { .string($0) }), "capabilities": Self.capabilities,
      "instructions": .string(instructions),
    ]
  }

  // MARK: Changes of resources

  private mutating func watch(_ parameters: [String: JSONValue]) throws(AgentError) -> [String] {
    let uri = try Self.uri(parameters)
    guard resources.session(of: uri) != nil else {
      throw AgentError(.invalidParameters, "Only resources of a session can be watched: \(uri) is none.")
    }
    guard watched.count < Self.limit else {
      throw AgentError(.busy, "\(Self.limit) resources are watched. Unsubscribe from one of them.")
    }
    return watched.insert(uri).inserted ? [uri] : []
  }

  private mutating func listen(
    _ id: JSONValue, _ request: Request, _ parameters: [String: JSONValue]
  ) throws(AgentError) -> [Action] {
    guard case .object(let wanted)? = parameters["notifications"] else {
      throw AgentError(.invalidParameters, "The parameter notifications must be an object.")
    }
    try checkLoad()
    let uris = (wanted["resourceSubscriptions"]?.arrayValue ?? []).compactMap(\.stringValue)
    let honored = Set(uris.filter { resources.session(of: $0) != nil }.prefix(Self.limit)).sorted()
    var request = request
    request.resources = honored
    requests[id] = request
    return [.watch(honored, id: id)]
  }

  /// Call this when the resources of a request are watched. Returns the message to send; nil if the client has cancelled the request.
  package mutating func isWatching(_ id: JSONValue) -> JSONValue? {
    guard let request = requests[id] else { return nil }
    guard let uris = request.resources else {
      requests[id] = nil
      return answer(to: id, request, [:])
    }
    let filter: JSONValue = uris.isEmpty ? [:] : ["resourceSubscriptions": .array(uris.map { .string($0) })]
    return Self.notification("notifications/subscriptions/acknowledged", ["notifications": filter], of: id)
  }

  /// Call this when a resource has changed. Returns the messages to send.
  package func changed(_ uri: String) -> [JSONValue] {
    let method = "notifications/resources/updated"
    let parameters: [String: JSONValue] = ["uri": .string(uri)]
    let streams = requests.filter { $0.value.resources?.contains(uri) ?? false }.keys
    return (watched.contains(uri) ? [Self.notification(method, parameters)] : [])
      + streams.sorted { $0.jsonText < $1.jsonText }.map { Self.notification(method, parameters, of: $0) }
  }

  private static func notification(
    _ method: String, _ parameters: [String: JSONValue], of stream: JSONValue? = nil
  ) -> JSONValue {
    var parameters = parameters
    if let stream { parameters["_meta"] = .object([AgentRevision.subscription: stream]) }
    return ["jsonrpc": "2.0", "method": .string(method), "params": .object(parameters)]
  }

  // MARK: Answers

  /// Call this when the work for a request has ended. Returns the answer to send; nil if the client has cancelled the request.
  package mutating func finish(
    _ id: JSONValue, with result: Result<[String: JSONValue], AgentError>
  ) -> JSONValue? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    switch result {
    case .success(let members): return answer(to: id, request, members)
    case .failure(let error):
      // Since 2026-07-28, a missing resource is an invalid parameter.
      guard error.code == .resourceNotFound, request.isNamed else { return error.answer(to: id) }
      return AgentError(.invalidParameters, error.message, data: error.data).answer(to: id)
    }
  }

  /// How long a client may cache an answer, in milliseconds. The tools change only with the program.
  private static let lifetimes: [String: Double] = [
    "server/discover": 3_600_000, "tools/list": 3_600_000, "resources/templates/list": 3_600_000, "resources/list": 0,
    "resources/read": 0,
  ]

  private func answer(to id: JSONValue, _ request: Request, _ members: [String: JSONValue]) -> JSONValue {
    var members = members
    if request.isNamed {
      members["resultType"] = "complete"
      members["_meta"] = .object([AgentRevision.server: identity])
      if let lifetime = Self.lifetimes[request.method] {
        members["ttlMs"] = .number(lifetime)
        members["cacheScope"] = "private"
      }
    }
    return ["jsonrpc": "2.0", "id": id, "result": .object(members)]
  }
}
