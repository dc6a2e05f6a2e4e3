/// The linter's rules for GBGBridge, and the machines behind them. The sections are those of the published reference.
package enum GBGLintRules {
  package static let all = [
    LintRule(
      "L24", .error, "An envelope breaks the protocol",
      contract:
        "The timestamp of a message is in milliseconds since 1970, and each request has a correlation id of its own.",
      section: "Messages, BridgeMessage",
      advice: "Use Date.now() for the timestamp, and crypto.randomUUID() for the correlation id of each request."),
    LintRule(
      "L25", .warning, "A capture without, or against, capability.query",
      contract:
        "The answer to capability.query says which captures the host supports; it can be different on each device.",
      section: "Capabilities, capability.query",
      advice: "Ask capability.query when the page starts, and capture only what is supported."),
  ]
}

/// The rule about envelopes (L24), for one page: each mistake counts once. Pure.
struct EnvelopeCheck {
  /// What is in seconds, from 2001 to the year 5138. As milliseconds, it would be in 1970 to 1973.
  private static let seconds = 1e9..<1e11
  /// Where microseconds begin: as milliseconds, this is in the year 5138.
  private static let microseconds = 1e14

  private var hasWrongTime = false
  private var hasRepeatedID = false

  /// What is wrong with an envelope, as a sentence; nil if nothing is, or the page has made the mistake before.
  mutating func problem(timestamp: Double, repeatsID: Bool) -> String? {
    if repeatsID, !hasRepeatedID {
      hasRepeatedID = true
      return "An earlier request has the same correlation id."
    }
    if timestamp >= 1e11, timestamp < Self.microseconds { return nil }
    if hasWrongTime { return nil }
    if Self.seconds.contains(timestamp) { return wrongTime("is in seconds") }
    if timestamp >= Self.microseconds { return wrongTime("is finer than milliseconds") }
    // Small numbers are no time at all, such as 0 or 1 in a test.
    return timestamp < 0 ? wrongTime("is before 1970") : nil
  }

  private mutating func wrongTime(_ what: String) -> String {
    hasWrongTime = true
    return "Its timestamp \(what)."
  }
}

/// The rule about captures (L25), for one page. Pure.
struct CapturesWithoutQuery {
  private var hasQueried = false
  private var told: Set<String> = []

  /// The page has asked what the host supports.
  mutating func queried() {
    hasQueried = true
  }

  /// What is wrong with a capture by this slot, as a sentence; nil if nothing is, or it was said before.
  mutating func problem(of slot: String, isSupported: Bool) -> String? {
    if hasQueried, isSupported { return nil }
    guard told.insert(slot).inserted else { return nil }
    return hasQueried
      ? "A capture by \(slot), which the host does not support."
      : "A capture by \(slot), and the page has not asked capability.query."
  }
}
