import BridgeCore

extension JSONWriter {
  /// Writes a member that is there. `name` has what stands around it, such as `,"id":`.
  mutating func write(literal name: StaticString, _ value: String?) {
    guard let value else { return }
    write(literal: name)
    write(value)
  }

  /// Writes a member that is there, as pages have it.
  mutating func write(literal name: StaticString, _ value: (some OnsideValue)?) {
    guard let value else { return }
    write(literal: name)
    value.write(to: &self)
  }

  /// Writes a member that is there, as the store has it.
  mutating func write(literal name: StaticString, stored value: (some OnsideStored)?) {
    guard let value else { return }
    write(literal: name)
    value.writeStored(to: &self)
  }

  /// Writes a number that is there.
  mutating func write(literal name: StaticString, _ number: Double?) {
    guard let number else { return }
    write(literal: name)
    write(number)
  }
}
