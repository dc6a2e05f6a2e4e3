import BridgeCore

/// The two JSON forms of the store's values. One writer produces both, and shows where they differ.
///
/// The control API has a third form, for people: see `docs/control-api.md`.
enum OnsideForm {
  /// For pages, as in the contract: `undefined` is an absent key.
  case contract
  /// For the store, in the form that `Decodable` reads: with the names of the Swift properties.
  case stored
}

/// A value that has both forms.
protocol OnsideValue {
  /// Writes the value.
  func write(to writer: inout JSONWriter, as form: OnsideForm)
}

extension OnsideValue {
  /// The value as text, for pages.
  var text: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, as: .contract)
    return writer.bytes
  }

  /// The value as a member of something else, for pages.
  var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}
