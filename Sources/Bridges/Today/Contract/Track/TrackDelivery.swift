import BridgeCore
public import BridgeRuntime
import Essentials

/// Sends tracked events to a collector in the background, in batches of PostHog-compatible JSON.
///
/// A batch that cannot be delivered is lost. ``lostCount`` counts its events.
@BridgeActor
public final class TrackDelivery {
  /// How many events were lost: dropped to make room for later ones, or not delivered.
  public var lostCount: Int { machine.droppedCount + undeliveredCount }

  private let sender: any TrackSender
  private let key: Secret?
  private let limits: TrackLimits
  private let clock: any BridgeClock
  private var machine: TrackQueueStateMachine
  private var undeliveredCount = 0
  private var timer: Task<Void, Never>?
  private var drained: [CheckedContinuation<Void, Never>] = []

  /// Creates a delivery.
  ///
  /// - Parameters:
  ///   - sender: Posts the batches.
  ///   - key: The project's key, `api_key` in each batch; nil leaves it out.
  ///   - limits: The size of batches and of the queue.
  ///   - clock: Decides when a batch is sent.
  public init(
    sender: any TrackSender,
    key: Secret? = nil,
    limits: TrackLimits = TrackLimits(),
    clock: any BridgeClock = SystemBridgeClock()
  ) {
    self.sender = sender
    self.key = key
    self.limits = limits
    self.clock = clock
    machine = TrackQueueStateMachine(limits: limits)
  }

  /// Queues an event.
  public func enqueue(_ event: TrackedEvent) {
    follow(machine.enqueue(event))
  }

  /// Sends all queued events at once. Returns when they are delivered or lost.
  public func drain() async {
    follow(machine.drain())
    if machine.isIdle { return }
    await withCheckedContinuation { drained.append($0) }
  }

  private func follow(_ action: TrackQueueStateMachine.Action) {
    switch action {
    case .none: break
    case .startTimer:
      timer = Task { [weak self, clock, limits] in
        guard (try? await clock.sleep(for: limits.batchDelay)) != nil, let self else { return }
        follow(machine.timerFired())
      }
    case .send(let events):
      timer?.cancel()
      timer = nil
      let batch = PostHogBatch(events: events, key: key)
      Task { [sender] in
        if !(await Self.deliver(batch, sender)) { undeliveredCount += events.count }
        follow(machine.sent())
      }
    }
    guard machine.isIdle, !drained.isEmpty else { return }
    let waiting = drained
    drained = []
    for continuation in waiting { continuation.resume() }
  }

  private nonisolated static func deliver(_ batch: PostHogBatch, _ sender: any TrackSender) async -> Bool {
    (try? await sender.send(batch: Array(batch.json.jsonText.utf8))) != nil
  }
}

/// Posts batches to a collector. An implementation knows the URL and speaks HTTP.
public protocol TrackSender: Sendable {
  /// Posts a batch as `application/json`. Runs off the bridge's actor.
  ///
  /// - Parameter batch: The JSON text in UTF-8.
  /// - Throws: Any error when the batch was not delivered. Its text is discarded.
  func send(batch: [UInt8]) async throws
}

/// A batch in the form of PostHog's batch API: `{api_key, batch: [{event, distinct_id, uuid, timestamp, properties}]}`.
struct PostHogBatch: Sendable {
  let events: [TrackedEvent]
  let key: Secret?

  /// The batch as JSON. `distinct_id` is the user or, if there is none, the device.
  var json: JSONValue {
    var members: [String: JSONValue] = ["batch": .array(events.map(json))]
    if let key { members["api_key"] = .string(key.reveal()) }
    return .object(members)
  }

  private func json(_ event: TrackedEvent) -> JSONValue {
    let distinctID = JSONValue.string(event.identity.userID ?? event.identity.deviceID)
    var properties = event.properties
    properties["distinct_id"] = distinctID
    let date = Date(timeIntervalSince1970: event.time.millisecondsSinceEpoch / 1000)
    return [
      "event": .string(event.name), "distinct_id": distinctID, "uuid": .string(event.eventID),
      "timestamp": .string(date.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
      "properties": .object(properties),
    ]
  }
}
