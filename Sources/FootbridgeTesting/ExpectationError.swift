/// What a test waited for has not come, with what came instead, in words.
public struct ExpectationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for people.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Duration {
  /// How long tests wait for what they expect, on the machine's clock.
  public static var usualPatience: Duration { .seconds(5) }
}
