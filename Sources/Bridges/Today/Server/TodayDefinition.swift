public import BridgeCore
import BridgeRuntime
public import Sessions
import SiteServer
import Today

/// The Today WebView's bridge as the server knows it: `webkit.messageHandlers.todayWebViewBridge`.
public struct TodayDefinition: BridgeDefinition {
  /// The name.
  public let name = "today"
  /// Tokens, trust and events.
  public var configuration = TodayConfiguration()

  /// The default bridge.
  public init() {}

  /// Whether the bridge is switched on.
  public var isEnabled: Bool { configuration.isEnabled }
  /// The traits of its messages.
  public var messages: BridgeMessageTraits { [.madeByShim, .holdsSecrets] }

  /// What rules can say about it: a page's message by its type, such as `today.headers`; or any message, as `today.message`.
  public var rules: RuleVocabulary {
    let types = TodayMessageType.allCases.map { "today.\($0.rawValue)" }
    var rules = RuleVocabulary(actions: ([TodayBridge.action] + types).joined(separator: ", "))
    rules.knownActions = [TodayBridge.action] + types
    // All messages have this action in the journal. Their types are the member `type` of their value.
    rules.requests = [TodayBridge.action]
    rules.action = { $0 == TodayBridge.action || TodayMessageType(action: $0) != nil ? RuleAction($0) : nil }
    // Only a refresh of the token can fail.
    rules.errors = { action, _ in
      TodayMessageType(action: action.name) == .refreshToken ? Self.tokenErrors.keys.sorted() : []
    }
    rules.call = { request in
      guard request.action == TodayBridge.action else { return RuledCall(request) }
      let message = request.data?["value"] ?? .null
      let type = message["type"]?.stringValue.map { ["today.\($0)"] } ?? []
      return RuledCall(names: type + [TodayBridge.action]) { message }
    }
    return rules
  }

  /// The rules of the linter.
  public var lintRules: [LintRule] { TodayLintRules.all }

  /// Its part of the shim.
  public var shim: ShimPart {
    var part = ShimPart(channels: [
      ShimPart.Channel("todayWebViewBridge", action: TodayBridge.action, marksTurns: true)
    ])
    part.files = ["today/shim.js"]
    part.lintFiles = ["today/lint/tokens.js"]
    return part
  }

  /// The cookies of the jar give access to the site.
  public var profile: ProfilePolicy {
    var policy = ProfilePolicy()
    policy.secretMembers = [SessionProfile.cookiesMember]
    return policy
  }

  /// The server starts.
  public func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    let backend = try TodayBackend(configuration, server)
    server.onStop { await backend.stop() }
    if let keys = backend.publicKeys {
      server.serve(
        keys: { keys }, at: "today/.well-known/jwks.json", purpose: "the keys that verify the tokens of sessions")
    }
    return { TodaySession(backend, $0) }
  }
}

extension TodayMessageType {
  /// The message type with this name in rules; nil if there is none.
  init?(action: String) {
    guard action.hasPrefix("today.") else { return nil }
    self.init(rawValue: String(action.dropFirst("today.".count)))
  }
}
