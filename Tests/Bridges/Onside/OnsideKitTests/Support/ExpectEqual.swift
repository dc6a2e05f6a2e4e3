import Testing

/// Expects what a mutating call returns; the macro cannot take one.
func expectEqual<Value: Equatable>(
  _ actual: Value,
  _ expected: Value,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual == expected, sourceLocation: sourceLocation)
}
