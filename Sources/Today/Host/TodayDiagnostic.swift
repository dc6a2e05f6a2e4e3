/// A mistake of a page that a device would ignore silently.
public enum TodayDiagnostic: Sendable, Hashable {
  /// A track message has no event name.
  case trackWithoutName
  /// An event is larger than the limits allow.
  case eventTooLarge(byteCount: Int)
  /// A message is not an object with a known type.
  case unknownMessage
  /// A message came from a subframe.
  case subframe
  /// The cookie jar refused the cookie of `establishSession`.
  case sessionCookieRefused
}

extension TodayDiagnostic: CustomStringConvertible {
  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .trackWithoutName: "A track message was dropped: its ename must be a non-empty string."
    case .eventTooLarge(let byteCount):
      "An event of about \(byteCount) bytes was dropped: it is larger than the limit."
    case .unknownMessage: "A message was answered with undefined: it is not an object with a known type."
    case .subframe: "A message from a subframe was answered with undefined: only the main frame gets answers."
    case .sessionCookieRefused:
      "establishSession failed: the token is too long for a cookie, or the cookie jar is full."
    }
  }
}
