public import BridgeCore
import BridgeRuntime
public import BridgeServer
public import Sessions
public import SiteServer
import WebServer

/// GBGBridge as the server knows it: `webkit.messageHandlers.gbgBridge`. Its pages create their messages themselves.
public struct GBGDefinition: BridgeDefinition {
  /// The name.
  public let name = "gbg"
  /// Capabilities, answers, captures, and the delivery of messages to the page.
  public var configuration = GBGConfiguration()

  /// The default bridge.
  public init() {}

  /// Whether the bridge is switched on.
  public var isEnabled: Bool { configuration.isEnabled }
  /// The traits of its messages.
  public var messages: BridgeMessageTraits { [] }
  /// The kinds of its sheets.
  public var sheetKinds: [String] { ["capture"] }
  /// What rules can say about it: its pages can use any action.
  public var rules: RuleVocabulary { RuleVocabulary(actions: "an action of GBGBridge") }

  /// The rules of the linter.
  public var lintRules: [LintRule] { GBGLintRules.all }

  /// Its part of the shim.
  public var shim: ShimPart {
    let delivery = configuration.delivery
    var members: [String: JSONValue] = ["as": delivery.asText ? "string" : "object"]
    members["function"] = delivery.function.map { .string($0) }
    members["event"] = delivery.event.map { .string($0) }
    if let bootstrap { members["scripts"] = [bootstrap.json] }
    var part = ShimPart(
      channels: [ShimPart.Channel(BridgeWebViewConfigurator.channel, action: nil, reply: false)],
      configuration: ["gbg": .object(members)])
    part.hostVersion = configuration.hostVersion
    part.files = ["gbg/shim.js"] + (bootstrap == nil ? [] : ["gbg/bootstrap.js"])
    return part
  }

  /// The developer's bootstrap script. It is a file of its own, so that an error in it breaks no other bridge.
  private var bootstrap: BridgeScript? {
    configuration.delivery.bootstrapScript.map { script in
      let text = "footbridgeBootstrap(function (footbridge) {\n\(script)\n});\n"
      return BridgeScript(Array(text.utf8), name: "bootstrap.js", number: 1, of: name, at: .start)
    }
  }

  /// The server starts.
  public func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    { [configuration] in GBGSession(configuration, $0) }
  }
}

extension GBGDefinition: ScriptServingBridge {
  package var scriptFiles: [EmbeddedFile] { bootstrap.map { [$0.file] } ?? [] }
  /// Reads its section of `footbridge.yaml`.
  public mutating func read(_ section: InputNode) throws(OptionError) {
    configuration = try GBGSection(section).configuration
  }

  /// The results of captures. The largest image is sent in base64.
  public var sheetChoices: SheetChoices {
    var choices = SheetChoices()
    choices.byteLimit = (CaptureImage.dataLimit + 2) / 3 * 4 + ControlRoute.usualBodyLimit
    choices.read = { fields, _, _ throws(OptionError) in try CaptureAnswerNode(fields).fields }
    return choices
  }

  /// Reads the answer of a rule.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    let (result, status, error) = (answer.result, answer.status, answer.error)
    if result == nil, status == nil, error == nil { return nil }
    let payload = try error.map { node throws(OptionError) in try BridgeAnswerNode.error(node) }
    let value = try status?.choice(BridgeResponseStatus.self) ?? (payload == nil ? .success : .error)
    if let status, (value == .error) != (payload != nil) {
      throw status.expected("error if there is an error, and must not be error otherwise")
    }
    let data = try result.flatMap { node throws(OptionError) in node.isNull ? nil : try node.jsonMembers() }
    return .response(value, data: data, error: payload)
  }
}

extension CaptureCapability {
  /// The slot as the control API shows it.
  package var json: JSONValue {
    [
      "id": .string(id), "action": .string(actionId), "supported": .bool(isSupported),
      "permissionState": isSupported ? .string(permissionState.rawValue) : .null,
      "request": activeRequest.map { .string($0.correlationId) } ?? .null,
    ]
  }
}
