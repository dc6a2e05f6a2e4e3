import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions
import SiteServer

/// A bridge that `footbridge.yaml` declares (`bridges`), as the server knows it.
package struct DeclaredDefinition: ScriptServingBridge, ResourceDefinition {
  /// The name, which is the first part of its actions.
  let name: String
  /// Whether the bridge is switched on.
  var isEnabled = true
  /// The pages, channels and answers of the bridge.
  package var configuration: DeclaredConfiguration
  /// The ways to name a message. The first that fits is used.
  package var naming: [MessageNaming] = []
  /// Translates another wire format into messages of the bridge, and back.
  var adapter = DeclaredAdapter()
  /// The program that answers messages; nil for none.
  var handler: HandlerNode?
  /// The scripts that pages load, in order.
  var scripts: [BridgeScript] = []
  /// The native app's addition to the user agent.
  var userAgent: String?
  /// What the app does with a page that wants a window; nil if the section does not say it.
  var windows: DeclaredWindows?
  /// What the log says when the server starts: what a recording could not tell.
  var warnings: [String] = []
  /// The native app's values for the first document of a tab.
  var launch = DeclaredLaunch()

  /// A bridge without any settings.
  init(name: String) {
    self.name = name
    configuration = DeclaredConfiguration(name: name)
  }

  /// The paths of the site that it answers.
  package var resourcePaths: [String] { configuration.resources.keys.filter { $0.hasPrefix("/") } }

  /// The names of members that the journal leaves out.
  var marks: JournalMarks { JournalMarks(secretMembers: configuration.secretMembers) }

  /// The kinds of its handler's sheets: only the bridge's name.
  var sheetKinds: [String] { [name] }

  /// A person's choices on a sheet of its handler are those that the sheet offers.
  var sheetChoices: SheetChoices {
    var choices = SheetChoices()
    choices.read = { fields, _, sheet throws(OptionError) in
      let values = try fields.jsonMembers()
      guard let sheet, let problem = DeclaredSheet.problem(of: values, in: sheet.content) else { return values }
      throw (try fields.members().first { $0.name == problem.member }?.value ?? fields).expected(problem.expected)
    }
    return choices
  }

  /// Reads the answer of a rule: any value as the result; a text, or an object with a message or a code, as the error.
  func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    guard let node = answer.error, node.isMapping else { return try answer.usualAnswer() }
    var members = try node.members()
    let code = try members.first { $0.name == "code" }?.value.json()
    let message = try members.first { $0.name == "message" }?.value.text()
    guard let text = message ?? code?.stringValue else { throw node.expected("an error, with at least a message") }
    let isRecoverable = try members.first { $0.name == "recoverable" }?.value.bool() ?? false
    members.removeAll { $0.name == "recoverable" }
    var value: [String: JSONValue] = ["message": .string(text)]
    for (name, member) in members where name != "message" { value[name] = try member.json() }
    let error = DeclaredError(.object(value))
    return .response(
      .error, data: error.data,
      error: BridgeErrorPayload(
        code: code?.stringValue ?? "bridge.failed", message: error.message, recoverable: isRecoverable))
  }

  /// The scripts as files.
  var scriptFiles: [EmbeddedFile] { (adapter.scripts + scripts).map(\.file) }

  /// Its channels are in its part of the configuration, and carry values.
  var messages: BridgeMessageTraits { [.madeByShim, .carriesValues] }

  /// A rule sees the value that the page has posted.
  var rules: RuleVocabulary {
    var rules = RuleVocabulary(actions: "an action of \(name) such as \(name).message")
    rules.call = { RuledCall($0.action, data: $0.data?["value"] ?? .null) }
    return rules
  }

  /// Its part of the shim.
  var shim: ShimPart {
    var members: [String: JSONValue] = [
      "name": .string(name),
      "pages": .array(configuration.pages.map { .string($0.regularExpression) }),
      "mainFrame": .bool(configuration.isMainFrameOnly),
      "channels": .array(configuration.channels.map(\.json)),
      "naming": .array(naming.map(\.json)),
      "scripts": .array((adapter.scripts + scripts).map(\.json)),
    ]
    members["userAgent"] = userAgent.map { .string($0) }
    members["windows"] = (windows ?? adapter.traits.windows).map { .string($0.rawValue) }
    if let launch = launch.json { members["launch"] = launch }
    members.merge(adapter.members) { $1 }
    if !configuration.objects.isEmpty {
      let isOneOfMany = configuration.objects.count > 1
      members["objects"] = .array(configuration.objects.map { $0.json(isOneOfMany: isOneOfMany) })
    }
    members["decode"] = configuration.decode?.json
    members["encode"] = configuration.encode?.json
    let schemes = configuration.schemes
    if !schemes.isEmpty { members["schemes"] = .array(schemes.map { .string($0) }) }
    if asksNow { members["ahead"] = .object(configuration.repliesAhead) }
    var part = ShimPart(configuration: ["declared": [.object(members)]])
    part.userAgent = userAgent
    part.files = ["declared/shim.js", "declared/events.js", "declared/schemes.js"] + featureFiles + adapter.files
    part.lintFiles = ["declared/lint/schemes.js"]
    part.takesNavigations = adapter.traits.takesNavigations
    if !schemes.isEmpty {
      part.workerFiles = ["declared/resources/worker.js"]
      part.workerConfiguration = ["schemes": .array(schemes.map { [.string($0), .string(name)] })]
    }
    return part
  }

  /// Whether scripts of the page can wait for answers.
  private var asksNow: Bool { !adapter.isNone || !configuration.objects.isEmpty }

  /// The files that only a bridge needs that uses what is in them.
  private var featureFiles: [String] {
    (configuration.objects.isEmpty ? [] : ["declared/objects.js"])
      + (configuration.objects.contains(where: \.isClass) ? ["declared/classes.js"] : [])
      + (configuration.schemes.isEmpty ? [] : ["declared/resources/page.js"])
      + (configuration.hasCodings ? ["declared/codings.js"] : [])
  }

  /// The server starts.
  func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    for warning in warnings { server.logger.warning("bridges.\(name): \(warning.asLine)") }
    let handlers = try startHandlers(server)
    server.retain(handlers, of: name)
    server.onStop { handlers.stop() }
    return DeclaredSession.maker(configuration, handlers)
  }

  /// Starts the handler, if the server starts it, and serves what the preset's SDK asks of a server.
  @BridgeActor
  func startHandlers(_ server: ServerContext) throws(OptionError) -> DeclaredHandlers {
    adapter.serve?(server)
    let log = HandlerLog(bridge: name, logger: server.logger, clock: server.clock)
    var isReachedByUs = false
    switch handler?.way {
    case .run, .post: isReachedByUs = true
    case .connect, nil: break
    }
    let handlers = DeclaredHandlers(
      bridge: name, log: log, access: HandlerAccess(server), isDeclared: handler != nil, isReachedByUs: isReachedByUs)
    guard let handler, let end = handlers.shared else { return handlers }
    switch handler.way {
    case .run(let command, let directory):
      let process = HandlerProcess(command, in: directory, place: handler.place, end, log)
      try process.start()
      handlers.onStop = { process.stop() }
    case .post(let origin, let target, let timeout, let token):
      let poster = HTTPPoster(
        origin: origin, target: target, timeout: timeout, answerLimit: HandlerLines.longestLine)
      let client = HandlerPoster(poster, token: token, place: handler.place, end)
      end.connected(client)
      handlers.onStop = { client.stop() }
    case .connect: break
    }
    return handlers
  }
}

extension DeclaredConfiguration.Channel {
  fileprivate var json: JSONValue {
    var json: [String: JSONValue] = [
      "name": .string(name), "reply": .string(reply.rawValue), "text": .bool(isText),
    ]
    json["decode"] = decode?.json
    json["encode"] = encode?.json
    return .object(json)
  }
}
