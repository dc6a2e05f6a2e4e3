import BridgeRuntime

/// One-time codes that put a browser into a session: one on a phone, or one of a test runner that cannot set cookies beforehand.
@BridgeActor
final class EntryCodes {
  /// The maximum number of codes that nobody has used. The oldest are forgotten first.
  static let limit = 1000
  /// The lifetime of a code.
  static let usualLifetime = Duration.seconds(600)

  private struct Entry {
    let cookieValue: Secret
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

  /// Issues a code for the session whose cookie has this value. Returns it with the time when it expires.
  func issue(for cookieValue: Secret, lifetime: Duration = usualLifetime) -> (code: String, expiry: BridgeInstant) {
    let now = clock.now
    entries = entries.filter { now < $0.value.deadline }
    order.removeAll { entries[$0] == nil }
    if order.count >= Self.limit { entries[order.removeFirst()] = nil }
    let code = random.token()
    let expiry = now.advanced(by: lifetime)
    entries[code] = Entry(cookieValue: cookieValue, deadline: expiry)
    order.append(code)
    return (code, expiry)
  }

  /// The value of the cookie that a code stands for. Nil if it is unknown, used or too old. The code is used from now on.
  func redeem(_ code: String) -> Secret? {
    guard let entry = entries.removeValue(forKey: code), clock.now < entry.deadline else { return nil }
    return entry.cookieValue
  }
}
