/// A value that many hold and nobody copies, since it is larger than what its holders have themselves.
final class Shared<Value: Sendable>: Sendable {
  /// The value.
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
