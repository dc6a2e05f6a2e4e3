import BridgeCore
import BridgeRuntime

/// A bridge that `footbridge.yaml` declares (`bridges`), as the server knows it.
struct DeclaredDefinition: ScriptServingBridge {
  /// The name, which is the first part of its actions.
  let name: String
  /// Whether the bridge is there.
  var isEnabled = true
  /// What it answers, and where.
  var configuration: DeclaredConfiguration
  /// How messages are named: the first that fits.
  var naming: [MessageNaming] = []
  /// The names of members that the journal leaves out, as ``BridgeDefinition/secretMembers`` has them.
  var secretMembers: Set<String> = []
  /// What turns another wire into messages of the bridge, and back.
  var adapter = DeclaredAdapter()
  /// The program that answers messages, and the folder in which it runs; nil for none.
  var handler: (command: [String], directory: String)?
  /// The scripts that pages load, in order.
  var scripts: [DeclaredScript] = []
  /// What native adds to the user agent.
  var userAgent: String?
  /// What native puts into the first document of a tab.
  var launch = DeclaredLaunch()

  /// A bridge of which nothing is said yet.
  init(name: String) {
    self.name = name
    configuration = DeclaredConfiguration(name: name)
  }

  /// The scripts as files.
  var scriptFiles: [EmbeddedFile] { (adapter.scripts + scripts).map(\.file) }

  /// A message as rules see it: what the page has posted.
  func ruledCall(_ request: BridgePayload) -> RuledCall {
    RuledCall(request.action, data: request.data?["value"] ?? .null)
  }

  /// Its part of the shim.
  func shim(_ variant: String, _ platform: Platform) -> ShimPart {
    var members: [String: JSONValue] = [
      "name": .string(name),
      "pages": .array(configuration.pages.map { .string($0.regularExpression) }),
      "mainFrame": .bool(configuration.isMainFrameOnly),
      "channels": .array(configuration.channels.map(\.json)),
      "naming": .array(naming.map(\.json)),
      "scripts": .array((adapter.scripts + scripts).map(\.json)),
    ]
    members["userAgent"] = userAgent.map { .string($0) }
    if let launch = launch.json { members["launch"] = launch }
    members.merge(adapter.members(ahead: configuration.answers)) { $1 }
    var part = ShimPart(configuration: ["declared": [.object(members)]])
    part.files = ["declared.js"] + adapter.files
    return part
  }

  /// The server starts.
  func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    guard let handler else { return { [configuration] in DeclaredSession(configuration, handler: nil, $0) } }
    let messages = HandlerMessages(bridge: name, logger: server.logger)
    let process = HandlerProcess(
      handler.command, in: handler.directory, bridge: name, messages: messages, logger: server.logger)
    try process.start()
    server.onStop { process.stop() }
    return { [configuration] in DeclaredSession(configuration, handler: messages, $0) }
  }
}

extension DeclaredConfiguration.Channel {
  fileprivate var json: JSONValue {
    ["name": .string(name), "reply": .string(reply.rawValue), "text": .bool(isText)]
  }
}
