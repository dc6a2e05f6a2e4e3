public import BridgeCore
import BridgeRuntime

/// GBGBridge as the server knows it: `webkit.messageHandlers.gbgBridge`. Its pages create their messages themselves.
public struct GBGDefinition: BridgeDefinition {
  /// The name.
  public let name = "gbg"
  /// Capabilities, answers, captures, and the way into the page.
  public var configuration = GBGConfiguration()

  /// The default bridge.
  public init() {}

  /// Whether the bridge is switched on.
  public var isEnabled: Bool { configuration.isEnabled }
  /// Who creates its messages, and what they contain.
  public var messages: BridgeMessageTraits { [] }
  /// The kinds of its sheets.
  public var sheetKinds: [String] { ["capture"] }
  /// The version that hosts report to pages.
  public var hostVersion: String? { configuration.hostVersion }
  /// The actions that rules can name, in words.
  public var ruleActions: String { "an action of GBGBridge" }

  /// Its part of the shim.
  public func shim(_ variant: String, _ platform: Platform) -> ShimPart {
    let delivery = configuration.delivery
    var members: [String: JSONValue] = ["as": delivery.asText ? "string" : "object"]
    members["function"] = delivery.function.map { .string($0) }
    members["event"] = delivery.event.map { .string($0) }
    var part = ShimPart(
      channels: [ShimPart.Channel(BridgeWebViewConfigurator.channel, action: nil, reply: false)],
      configuration: ["gbg": .object(members)], script: delivery.bootstrapScript)
    part.files = ["gbg.js"]
    return part
  }

  /// The server starts.
  public func start(_ server: BridgeServer) throws -> BridgeSessionMaker {
    { [configuration] in GBGSession(configuration, $0) }
  }
}

extension FootbridgeOptions {
  /// GBGBridge: capabilities, answers, captures, and the way into the page.
  public var gbg: GBGConfiguration {
    get { bridges[GBGDefinition.self]?.configuration ?? GBGConfiguration() }
    set { bridges.change(GBGDefinition.self) { $0.configuration = newValue } }
  }
}
