import Sessions

/// Reads a rule's `times` and `delay`.
extension InputNode {
  private static let numbers = 1...1_000_000
  private static let listLimit = 1000
  private static let timesWords =
    "once, always, a list of numbers, {nth: 2}, {first: 3} or {from: 2}; {probability: 0.5} alone or with one of them"

  /// The matching calls that the rule decides.
  func times() throws(OptionError) -> Rule.Times {
    if isList { return .listed(try numbers()) }
    guard isMapping else {
      switch try text() {
      case "once": return .once
      case "always": return .always
      default: throw expected(Self.timesWords)
      }
    }
    var members = try section(["nth", "first", "from", "probability"])
    let probability = try members.removeValue(forKey: "probability")?.probability()
    guard members.count <= 1, !members.isEmpty || probability != nil else { throw expected(Self.timesWords) }
    var times = Rule.Times.always
    if let number = try members["nth"]?.number() { times = .nth(number) }
    if let count = try members["first"]?.integer(in: 1...Self.listLimit) { times = .first(count) }
    if let number = try members["from"]?.number() { times = .from(number) }
    return probability.map(times.withProbability) ?? times
  }

  private func number() throws(OptionError) -> Int { try integer(in: Self.numbers) }

  private func numbers() throws(OptionError) -> [Int] {
    let numbers = try list { node throws(OptionError) in try node.number() }
    guard (1...Self.listLimit).contains(numbers.count) else {
      throw expected("a list of 1 to \(Self.listLimit) numbers, such as [1, 3]")
    }
    return numbers
  }

  private func probability() throws(OptionError) -> Double {
    guard let number = try json().numberValue, number > 0, number < 1 else {
      throw expected("a number between 0 and 1, such as 0.25")
    }
    return number
  }

  /// The delay of an answer: a number of milliseconds, or `{from: 100, to: 800}` for a random one.
  func delayOrRange() throws(OptionError) -> (shortest: Duration, longest: Duration?) {
    guard isMapping else { return (try delay(), nil) }
    let members = try section(["from", "to"])
    guard let to = members["to"] else { throw expected("milliseconds, or {from: 100, to: 800} for a random delay") }
    let shortest = try members["from"]?.delay() ?? .zero
    let longest = try to.delay()
    guard shortest < longest else { throw to.expected("greater than from") }
    return (shortest, longest)
  }
}
