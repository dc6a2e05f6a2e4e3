package import Sessions

/// The linter's rules for GBGBridge. The sections are those of the published reference.
package enum GBGLintRules {
  package static let all = [
    LintRule(
      "L24", .error, "An envelope breaks the protocol",
      contract:
        "The timestamp of a message is in milliseconds since the Unix epoch, and each request has a unique correlation id.",
      section: "Messages, BridgeMessage",
      advice: "Use Date.now() for the timestamp, and crypto.randomUUID() for the correlation id of each request."),
    LintRule(
      "L25", .warning, "A capture that capability.query has not reported as supported",
      contract:
        "The answer to capability.query says which captures the host supports; it can be different on each device.",
      section: "Capabilities, capability.query",
      advice: "Ask capability.query when the page starts, and capture only what is supported."),
  ]
}

/// The rule about envelopes (L24), for one page. It reports each mistake once. A pure state machine.
struct EnvelopeCheck {
  /// Timestamps in seconds, from 2001 to 5138. As milliseconds, they would be in 1970 to 1973.
  private static let seconds = 1e9..<1e11
  /// The smallest timestamp that is taken as microseconds. As milliseconds, it would be in the year 5138.
  private static let microseconds = 1e14

  private var hasWrongTime = false
  private var hasRepeatedID = false

  /// Returns a sentence about the mistake in an envelope; nil if there is none, or if it was reported before.
  mutating func problem(timestamp: Double, repeatsID: Bool) -> String? {
    if repeatsID, !hasRepeatedID {
      hasRepeatedID = true
      return "An earlier request has the same correlation id."
    }
    if timestamp >= 1e11, timestamp < Self.microseconds { return nil }
    if hasWrongTime { return nil }
    if Self.seconds.contains(timestamp) { return wrongTime("is in seconds") }
    if timestamp >= Self.microseconds { return wrongTime("is finer than milliseconds") }
    // Ignore small numbers, such as 0 or 1: tests use them in place of a time.
    return timestamp < 0 ? wrongTime("is before 1970") : nil
  }

  private mutating func wrongTime(_ what: String) -> String {
    hasWrongTime = true
    return "Its timestamp \(what)."
  }
}

/// The rule about captures (L25), for one page. A pure state machine.
struct CapturesWithoutQuery {
  private var hasQueried = false
  private var reported: Set<String> = []

  /// Notes that the page has asked what the host supports.
  mutating func queried() {
    hasQueried = true
  }

  /// Returns a sentence about the mistake in a capture by this slot; nil if there is none, or if it was reported before.
  mutating func problem(of slot: String, isSupported: Bool) -> String? {
    if hasQueried, isSupported { return nil }
    guard reported.insert(slot).inserted else { return nil }
    return hasQueried
      ? "A capture by \(slot), which the host does not support."
      : "A capture by \(slot), and the page has not asked capability.query."
  }
}
