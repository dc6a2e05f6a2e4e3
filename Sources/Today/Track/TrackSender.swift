/// The way to where events are collected: whoever implements it knows the URL and does the HTTP.
public protocol TrackSender: Sendable {
  /// Posts a batch as `application/json`. Throws when it did not arrive; the error goes no further. Runs off the bridge's actor.
  func send(batch: [UInt8]) async throws
}
