public import BridgeRuntime

/// Receives the events of a ``TodayHost``. All methods are optional.
@BridgeActor
public protocol TodayHostDelegate: AnyObject {
  /// A page tracked an event.
  func todayHost(_ host: TodayHost, didTrack event: TrackedEvent)

  /// A page tried to track an event, which was dropped. `name` is the event's name, if it has one.
  func todayHost(_ host: TodayHost, didDropEvent name: String?, because diagnostic: TodayDiagnostic)

  /// A page made a mistake that a device would ignore.
  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic)

  /// The host changed ``TodayHost/cookies``.
  func todayHostDidChangeCookies(_ host: TodayHost)
}

/// A delegate leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TodayHostDelegate {
  public func todayHost(_ host: TodayHost, didTrack event: TrackedEvent) {}

  public func todayHost(_ host: TodayHost, didDropEvent name: String?, because diagnostic: TodayDiagnostic) {}

  public func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {}

  public func todayHostDidChangeCookies(_ host: TodayHost) {}
}

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
