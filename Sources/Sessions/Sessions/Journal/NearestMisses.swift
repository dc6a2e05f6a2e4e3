package import BridgeCore

/// Searches JSON objects for the first one that matches a pattern. Remembers those with the fewest differences.
package struct NearestMisses {
  /// An object that does not match.
  package struct Miss: Sendable, Hashable {
    /// The object.
    package let object: JSONValue
    /// The differences, in words.
    package let differences: [String]
  }

  /// The maximum number of misses remembered.
  static let limit = 3

  /// The objects with the fewest differences first. If they have equally many, the latest first.
  private(set) var misses: [Miss] = []

  private let pattern: JSONPattern
  /// The members that identify the kind of an object. One difference in them weighs more than all others together.
  private let leading: JSONPattern

  /// The kind of objects that are no misses; nil for none.
  private var kindLeftOut: JSONValue?

  /// Creates a search. One difference in the members `leading` weighs more than all others together.
  init(_ pattern: JSONPattern, leading: [String]) {
    self.pattern = pattern
    self.leading = pattern.restricted(to: leading)
  }

  /// Creates a search for entries of a journal. Calls of the control API are no misses, unless one is sought: the test has made them itself.
  init(entries pattern: JSONPattern) {
    self.init(pattern, leading: ["kind", "action"])
    let control: JSONValue = .string(JournalEntry.Kind.control.rawValue)
    if !pattern.restricted(to: ["kind"]).differences(from: ["kind": control]).isEmpty {
      kindLeftOut = control
    }
  }

  /// Whether `object` matches. If not, it may become one of ``misses``.
  mutating func matches(_ object: JSONValue) -> Bool {
    let differences = pattern.differences(from: object)
    if differences.isEmpty { return true }
    if let kindLeftOut, object["kind"] == kindLeftOut { return false }
    let miss = Miss(object: object, differences: differences)
    let distance = distance(of: miss)
    let place = misses.firstIndex { distance <= self.distance(of: $0) } ?? misses.endIndex
    misses.insert(miss, at: place)
    if misses.count > Self.limit { misses.removeLast() }
    return false
  }

  private func distance(of miss: Miss) -> (leading: Int, all: Int) {
    (leading.differences(from: miss.object).count, miss.differences.count)
  }
}
