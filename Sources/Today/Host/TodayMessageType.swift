/// The types of messages that the host knows (Today contract, "Handle messages").
public enum TodayMessageType: String, Sendable, CaseIterable {
  /// Tracks an event.
  case track
  /// Asks for headers.
  case headers
  /// Asks for a new token.
  case refreshToken
  /// Asks for the session's cookie.
  case establishSession
}
