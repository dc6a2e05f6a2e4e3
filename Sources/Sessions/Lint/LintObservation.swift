import BridgeCore
import BridgeRuntime

/// What the linter's script has seen in a page (`web/lint/`). A page can send anything in its place, so its texts are short.
public struct LintObservation: Sendable, Hashable {
  /// What was seen, such as `unheard`.
  public let kind: String
  /// The text members.
  private let texts: [String: String]
  /// The texts of the member `names`.
  public let names: [String]

  /// The maximum number of characters of a text, and the maximum number of names.
  private static let textLimit = 100
  private static let nameLimit = 50

  /// Reads an observation; nil if it is none.
  init?(_ data: [String: JSONValue]) {
    guard let kind = data["seen"]?.stringValue else { return nil }
    self.kind = kind
    texts = data.compactMapValues { $0.stringValue.map { String($0.prefix(Self.textLimit)) } }
    names = (data["names"]?.arrayValue ?? []).prefix(Self.nameLimit).compactMap {
      $0.stringValue.map { String($0.prefix(Self.textLimit)) }
    }
  }

  /// A text of the observation, of at most 100 characters.
  public subscript(name: String) -> String? { texts[name] }
}

/// Passes what the linter's script has seen in a page to the bridges' parts of the page.
@BridgeActor
final class PageObservations: BridgeHandlerFamily {
  private static let action: StaticString = "footbridge.lint"
  /// The maximum number of observations of a page.
  private static let limit = 200

  private weak var page: Page?
  private var count = 0

  init(_ page: Page) {
    self.page = page
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: Self.action) else { return false }
    count += 1
    if count <= Self.limit, let observation = LintObservation(request.payload.data ?? [:]) {
      for bridge in page?.bridges ?? [] { bridge.observed(observation) }
    }
    responder.respond(status: .success, data: nil, error: nil)
    return true
  }
}
