import BridgeRuntime

/// Codes that work once, within a time: for a browser that enters a session, or for a tab that opens the dashboard.
@BridgeActor
final class OneTimeCodes<Value> {
  /// The maximum number of codes that nobody has used. The oldest are forgotten first.
  nonisolated static var limit: Int { 1000 }

  private struct Entry {
    let value: Value
    let deadline: BridgeInstant
  }

  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var entries: [String: Entry] = [:]
  /// The codes, the oldest first. Used ones leave with the next that is issued.
  private var order: [String] = []

  init(clock: any BridgeClock, random: BridgeRandom) {
    self.clock = clock
    self.random = random
  }

  /// Issues a code that stands for a value. Returns it with the time when it expires. With several servers on one database, the prefix tells
  /// which of them has issued it.
  func issue(for value: Value, lifetime: Duration, prefix: String = "") -> (code: String, expiry: BridgeInstant) {
    let now = clock.now
    entries = entries.filter { now < $0.value.deadline }
    order.removeAll { entries[$0] == nil }
    if order.count >= Self.limit { entries[order.removeFirst()] = nil }
    let code = prefix + random.token()
    let expiry = now.advanced(by: lifetime)
    entries[code] = Entry(value: value, deadline: expiry)
    order.append(code)
    return (code, expiry)
  }

  /// What a code stands for. Nil if it is unknown, used or too old. The code is used from now on.
  func redeem(_ code: String) -> Value? {
    guard let entry = entries.removeValue(forKey: code), clock.now < entry.deadline else { return nil }
    return entry.value
  }
}
