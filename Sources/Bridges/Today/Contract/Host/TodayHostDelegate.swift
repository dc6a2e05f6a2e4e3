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

/// What is wrong with the settings of the Today bridge. Contains no secrets.
public enum TodaySettingsError: Error, Sendable, Hashable {
  /// A text in the trusted origins is not an origin.
  case trustedOrigin(String)
  /// A trusted path does not begin with a slash.
  case trustedPath(String)
  /// An extra header cannot be sent.
  case extraHeader(name: String)
  /// The token's lifetime is out of range.
  case lifetime
  /// A URL to post to is not an `http` or `https` URL.
  case url(String)
}

extension TodaySettingsError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .trustedOrigin(let text):
      "The trusted origin \"\(text)\" is not an origin. Write scheme and host, such as https://today.example."
    case .trustedPath(let text): "The trusted path \"\(text)\" does not begin with a slash."
    case .extraHeader(let name):
      "The extra header \"\(name)\" cannot be sent. Its name must be a valid header name other than Authorization, and its value one line."
    case .url(let text): "\(text) is not a URL to post to. Use one that begins with http:// or https://."
    case .lifetime: "The token's lifetime must be at least one second and at most ten years."
    }
  }
}
