/// The open calls of a page that have numbers, by their correlation ids. Several can have the same one, and so can a call of the shim.
struct NumberedCalls {
  private var numbers: [CallID: [Int]] = [:]

  /// Whether there are none.
  var isEmpty: Bool { numbers.isEmpty }

  /// The numbers of the calls with this correlation id, oldest first.
  subscript(id: CallID) -> [Int] { numbers[id] ?? [] }

  /// Adds a call.
  mutating func begin(_ id: CallID, _ number: Int) {
    if !self[id].contains(number) { numbers[id, default: []].append(number) }
  }

  /// Removes a call that has its final answer.
  mutating func answered(_ id: CallID, _ number: Int) {
    numbers[id]?.removeAll { $0 == number }
    if numbers[id]?.isEmpty == true { numbers[id] = nil }
  }
}
