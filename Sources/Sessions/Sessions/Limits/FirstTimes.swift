/// Remembers what has happened before, so that it is noted only once.
package struct FirstTimes {
  private var names: Set<String> = []
  private static let limit = 100

  /// Nothing has happened.
  package init() {}

  /// Whether something happens for the first time. Of too many things, no further one does.
  package mutating func isFirst(_ name: String) -> Bool { names.count < Self.limit && names.insert(name).inserted }
}
