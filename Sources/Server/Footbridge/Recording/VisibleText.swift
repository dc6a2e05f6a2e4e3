import BridgeCore
import Sessions

extension JSONValue {
  /// The value as JSON text in which every character is visible. Characters that break lines, control a terminal, or change the direction
  /// of text are escaped, in a form that YAML and Python share with JSON as far as JSON has it: `\u2028`, `\U000E0001`.
  var visibleText: String { jsonText.escapingHidden(\.escaped) }
}

extension String {
  /// The text with its hidden characters escaped as in ``JSONValue/visibleText``, without quotation marks.
  package var visible: String { String(JSONValue.string(self).visibleText.dropFirst().dropLast()) }
}

extension Unicode.Scalar {
  fileprivate var escaped: String {
    let digits = String(value, radix: 16)
    return value > 0xFFFF
      ? "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
