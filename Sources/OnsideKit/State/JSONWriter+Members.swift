import BridgeCore

extension JSONWriter {
  /// Writes a member that is there. `name` has what stands around it, such as `,"id":`.
  mutating func write(literal name: StaticString, _ value: String?) {
    guard let value else { return }
    write(literal: name)
    write(value)
  }

  /// Writes a member that is there, in one of its forms.
  mutating func write(literal name: StaticString, _ value: (some OnsideValue)?, as form: OnsideForm) {
    guard let value else { return }
    write(literal: name)
    value.write(to: &self, as: form)
  }

  /// Writes a number that is there.
  mutating func write(literal name: StaticString, _ number: Double?) {
    guard let number else { return }
    write(literal: name)
    write(number)
  }
}
