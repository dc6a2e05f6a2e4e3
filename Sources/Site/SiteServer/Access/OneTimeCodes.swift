package import BridgeRuntime

/// Codes that work once and expire. A browser enters a session with one, and a tab opens the dashboard with one.
@BridgeActor
package final class OneTimeCodes<Value> {
  /// The maximum number of unused codes. The oldest are forgotten first.
  nonisolated static var limit: Int { 1000 }

  private struct Entry {
    let value: Value
    let deadline: BridgeInstant
  }

  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var entries: [String: Entry] = [:]
  /// The codes, the oldest first. Used codes are removed when the next one is issued.
  private var order: [String] = []

  package init(clock: any BridgeClock, random: BridgeRandom) {
    self.clock = clock
    self.random = random
  }

  /// Issues a code for a value. Returns the code, and the time when it expires. With several servers on one database, the prefix tells
  /// which of them has issued the code.
  package func issue(for value: Value, lifetime: Duration, prefix: String = "") -> (code: String, expiry: BridgeInstant)
  {
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

  /// Uses a code and returns its value. Nil if the code is unknown, used or too old.
  package func redeem(_ code: String) -> Value? {
    guard let entry = entries.removeValue(forKey: code), clock.now < entry.deadline else { return nil }
    return entry.value
  }
}
