/// Something that a page does and that a device would pass over in silence.
public enum TodayDiagnostic: Sendable, Hashable {
  /// A track message without an event name: the contract asks for one.
  case trackWithoutName
  /// An event larger than the limits allow.
  case eventTooLarge(byteCount: Int)
  /// A message that is no object with a type that this host knows.
  case unknownMessage
  /// A message from a sub-frame.
  case subframe
  /// The cookie of `establishSession` was refused.
  case sessionCookieRefused
}

extension TodayDiagnostic: CustomStringConvertible {
  /// What happened, for people.
  public var description: String {
    switch self {
    case .trackWithoutName: "A track message without a non-empty string ename was dropped."
    case .eventTooLarge(let byteCount):
      "An event of about \(byteCount) octets was dropped: it is larger than the limit."
    case .unknownMessage: "A message that is no object with a known type was answered with undefined."
    case .subframe: "A message from a sub-frame was answered with undefined: only the main frame is served."
    case .sessionCookieRefused:
      "establishSession failed: the token is too long for a cookie, or the cookie jar is full."
    }
  }
}
