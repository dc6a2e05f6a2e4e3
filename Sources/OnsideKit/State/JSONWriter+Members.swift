import BridgeCore

extension JSONWriter {
  /// Writes a member unless its value is nil. `name` includes the punctuation around it, such as `,"id":`.
  mutating func write(literal name: StaticString, _ value: String?) {
    guard let value else { return }
    write(literal: name)
    write(value)
  }

  /// Writes a member in one of its forms, unless its value is nil.
  mutating func write(literal name: StaticString, _ value: (some OnsideValue)?, as form: OnsideForm) {
    guard let value else { return }
    write(literal: name)
    value.write(to: &self, as: form)
  }

  /// Writes a number unless it is nil.
  mutating func write(literal name: StaticString, _ number: Double?) {
    guard let number else { return }
    write(literal: name)
    write(number)
  }
}
