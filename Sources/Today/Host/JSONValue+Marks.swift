import BridgeCore

/// Values that a page can post and JSON cannot carry come marked: as an object with the member `$footbridge`, which says what its `value` is.
extension JSONValue {
  private static let mark = "$footbridge"

  /// What native would see in place of a mark: its scalar for a `number`, its object for an `object`. Null, which is no scalar, for a `date`
  /// and for a `reference` to an earlier object, whose content is not followed. A value without a mark is itself.
  ///
  /// NaN and the infinities become their text, the one scalar that can be sent on in JSON: our choice.
  var unmarked: JSONValue {
    guard let kind = self[Self.mark] else { return self }
    switch (kind.stringValue, self["value"]) {
    case ("number", .string(let text)): return text == "-0" ? .number(-0.0) : .string(text)
    case ("object", .object(let members)): return .object(members)
    default: return .null
    }
  }
}
