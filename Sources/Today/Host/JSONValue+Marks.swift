import BridgeCore

/// Values that a page can post but JSON cannot express arrive as marks: objects with the member `$footbridge`, which
/// names the type of their `value`.
extension JSONValue {
  private static let mark = "$footbridge"

  /// The value that native code would see in place of a mark: a scalar for `number`, an object for `object`, and null
  /// for `date` and for `reference` (to an earlier object). A value without a mark is returned as it is.
  ///
  /// NaN and the infinities become strings, since JSON has no such numbers. This is our choice.
  var unmarked: JSONValue {
    guard let kind = self[Self.mark] else { return self }
    switch (kind.stringValue, self["value"]) {
    case ("number", .string(let text)): return text == "-0" ? .number(-0.0) : .string(text)
    case ("object", .object(let members)): return .object(members)
    default: return .null
    }
  }
}
