import Today

/// Sends tracked events to a collector (`today.track.url`).
struct EventCollector: TrackSender {
  /// The collector has refused a batch.
  struct Refusal: Error {}

  /// Posts to the collector.
  let poster: HTTPPoster

  func send(batch: [UInt8]) async throws {
    let status = try await poster.post(batch, contentType: "application/json").status
    guard 200..<300 ~= status else { throw Refusal() }
  }
}
