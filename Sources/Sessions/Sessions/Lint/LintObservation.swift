import BridgeCore
import BridgeRuntime

/// An observation of the linter's script in a page (`web/lint/`, and `lint/` of each bridge in `web/bridges/`). A page can send forged ones, so the length of the texts is limited.
public struct LintObservation: Sendable, Hashable {
  /// The kind of the observation, such as `unheard`.
  public let kind: String
  /// The text members.
  private let texts: [String: String]
  /// The texts of the member `names`.
  public let names: [String]

  /// The maximum number of characters of a text, and the maximum number of names.
  private static let textLimit = 100
  private static let nameLimit = 50

  /// Reads an observation; nil if the data is not one.
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
