/// How many bytes the rules and gates of a session take. A rule counts once, until it is no longer active and no call waits as it says.
struct RuleSize {
  /// A rule and its size as JSON.
  struct Item: Sendable, Hashable {
    /// The number of the rule among all that the session has had.
    let number: Int
    let byteCount: Int
  }

  /// What a rule takes beside its JSON.
  static let ruleOverhead = 1 << 10
  /// What a release in advance takes. The name of a gate is short.
  private static let release = 256

  private var active: [Item] = []
  private var deciding: [Int: (byteCount: Int, calls: Int)] = [:]
  /// The rules that have decided calls of the session's previous server.
  var former = 0
  /// The number of releases in advance.
  var releases = 0

  /// All bytes.
  var byteCount: Int {
    let activeNumbers = deciding.isEmpty ? [] : Set(active.map(\.number))
    let waiting = deciding.lazy.filter { !activeNumbers.contains($0.key) }.map { Self.whole($0.value.byteCount) }
    return active.reduce(0) { $0 + Self.whole($1.byteCount) } + waiting.reduce(0, +) + former + releases * Self.release
  }

  /// Notes which rules are active.
  mutating func activate(_ list: RuleList) { active = list.entries.map(\.size) }

  /// Notes that a call waits as this rule says.
  mutating func begin(_ rule: Item) { deciding[rule.number, default: (rule.byteCount, 0)].calls += 1 }

  /// Notes that such a call waits no longer.
  mutating func end(_ number: Int) {
    deciding[number]?.calls -= 1
    if deciding[number]?.calls == 0 { deciding[number] = nil }
  }

  /// What a rule takes.
  static func whole(_ byteCount: Int) -> Int { byteCount + ruleOverhead }
}
