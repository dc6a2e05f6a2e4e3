extension Rule {
  /// Which of the matching calls a rule decides. Numbers count from 1, since the rule exists.
  public struct Times: Sendable, Hashable {
    private enum Choice: Sendable, Hashable {
      /// The first one.
      case once
      /// Every one.
      case always
      /// Those with these numbers.
      case numbers(Set<Int>, last: Int)
      /// Those from this number on.
      case from(Int)
    }

    private let choice: Choice
    /// How likely the rule decides each of them: from 0 to 1.
    public let probability: Double

    private init(_ choice: Choice, probability: Double = 1) {
      self.choice = choice
      self.probability = probability
    }

    /// The first one.
    public static let once = Times(.once)
    /// Every one, until the rule is removed.
    public static let always = Times(.always)

    /// The one with this number.
    public static func nth(_ number: Int) -> Times { listed([number]) }

    /// Those with these numbers.
    public static func listed(_ numbers: [Int]) -> Times { Times(.numbers(Set(numbers), last: numbers.max() ?? 0)) }

    /// The first ones, this many.
    public static func first(_ count: Int) -> Times { listed(Array(1...max(count, 1))) }

    /// Those from this number on, until the rule is removed.
    public static func from(_ number: Int) -> Times { Times(.from(number)) }

    /// Each of these with a probability, by the seed of the session.
    public func withProbability(_ probability: Double) -> Times { Times(choice, probability: probability) }

    /// Whether calls that another rule decides count, too.
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
