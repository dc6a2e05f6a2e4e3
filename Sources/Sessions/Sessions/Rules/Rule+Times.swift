extension Rule {
  /// Says which of the matching calls a rule decides. Calls are numbered from 1, beginning when the rule is added.
  public struct Times: Sendable, Hashable {
    private enum Choice: Sendable, Hashable {
      /// The first call.
      case once
      /// Every call.
      case always
      /// The calls with these numbers.
      case numbers(Set<Int>, last: Int)
      /// The calls from this number on.
      case from(Int)
    }

    private let choice: Choice
    /// The probability with which the rule decides each of these calls, from 0 to 1.
    public let probability: Double

    private init(_ choice: Choice, probability: Double = 1) {
      self.choice = choice
      self.probability = probability
    }

    /// The first call.
    public static let once = Times(.once)
    /// Every call, until the rule is removed.
    public static let always = Times(.always)

    /// The call with this number.
    public static func nth(_ number: Int) -> Times { listed([number]) }

    /// The calls with these numbers.
    public static func listed(_ numbers: [Int]) -> Times { Times(.numbers(Set(numbers), last: numbers.max() ?? 0)) }

    /// The first `count` calls.
    public static func first(_ count: Int) -> Times { listed(Array(1...max(count, 1))) }

    /// The calls from this number on, until the rule is removed.
    public static func from(_ number: Int) -> Times { Times(.from(number)) }

    /// Each of these calls with a probability. The session's seed determines the result.
    public func withProbability(_ probability: Double) -> Times { Times(choice, probability: probability) }

    /// Whether the rule also counts calls that another rule decides.
    var counts: Bool {
      switch choice {
      case .once, .always: false
      case .numbers, .from: true
      }
    }

    /// Whether the rule decides the call with this number.
    func includes(_ number: Int) -> Bool {
      switch choice {
      case .once: number == 1
      case .always: true
      case .numbers(let numbers, _): numbers.contains(number)
      case .from(let first): number >= first
      }
    }

    /// Whether the rule can decide no further call.
    func isOver(after count: Int) -> Bool {
      switch choice {
      case .once: count >= 1
      case .always, .from: false
      case .numbers(_, let last): count >= last
      }
    }
  }
}
