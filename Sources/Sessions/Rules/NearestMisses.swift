package import BridgeCore

/// Looks for the first of many JSON objects that is as a pattern says, and remembers those that came nearest.
package struct NearestMisses {
  /// An object that is not as the pattern says.
  package struct Miss: Sendable, Hashable {
    /// The object.
    package let object: JSONValue
    /// In what it is not, in words.
    package let differences: [String]
  }

  /// How many misses are remembered.
  static let limit = 3

  /// The objects that came nearest, the nearest first; of those that are equally near, the latest first.
  private(set) var misses: [Miss] = []

  private let pattern: JSONPattern
  /// The members that say what an object is at all: one that differs in them is farther away than any that does not.
  private let leading: JSONPattern

  /// Creates a search. `leading` names members of the pattern that count for more than all the others.
  init(_ pattern: [String: JSONValue], leading: [String]) {
    self.pattern = JSONPattern(.object(pattern))
    self.leading = JSONPattern(.object(pattern.filter { leading.contains($0.key) }))
  }

  /// Whether `object` is what is looked for; when it is not, it may be among the nearest.
  mutating func matches(_ object: JSONValue) -> Bool {
    let differences = pattern.differences(from: object)
    if differences.isEmpty { return true }
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
