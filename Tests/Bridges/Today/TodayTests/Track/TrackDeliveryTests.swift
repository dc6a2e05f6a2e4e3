import BridgeCore
import BridgeRuntime
import Synchronization
import Testing
import Today

@Suite @BridgeActor struct TrackDeliveryTests {
  /// Keeps what it is given, or fails.
  final class Collector: TrackSender {
    private let batches = Mutex<[JSONValue]>([])
    let fails: Bool

    init(fails: Bool = false) {
      self.fails = fails
    }

    var all: [JSONValue] { batches.withLock { $0 } }

    func send(batch: [UInt8]) async throws {
      if fails { throw CancellationError() }
      let json = try JSONValue(parsing: batch)
      batches.withLock { $0.append(json) }
    }
  }

  private let clock = ManualBridgeClock()

  private func event(_ name: String, user: String? = nil, parameters: [String: JSONValue] = [:]) -> TrackedEvent {
    TrackedEvent(
      name: name, parameters: parameters, eventID: "id-\(name)", time: clock.now,
      identity: TrackIdentity(sessionID: "session", deviceID: "device", userID: user))
  }

  @Test func `a batch has PostHog's form`() async {
    let collector = Collector()
    let delivery = TrackDelivery(sender: collector, key: Secret("project"), clock: clock)
    delivery.enqueue(event("opened", user: "user", parameters: ["n": 1, "distinct_id": "evil", "uid": "evil"]))
    delivery.enqueue(event("closed"))
    await delivery.drain()
    let base: [String: JSONValue] = [
      "sid": "session", "did": "device", "ts": 1_760_000_000_000, "tz": "Etc/UTC", "client_plat": "ios", "ctx": [:],
    ]
    let opened = base.merging(["eid": "id-opened", "uid": "user", "n": 1, "distinct_id": "user"]) { $1 }
    let closed = base.merging(["eid": "id-closed", "uid": nil, "distinct_id": "device"]) { $1 }
    #expect(
      collector.all == [
        [
          "api_key": "project",
          "batch": [
            [
              "event": "opened", "distinct_id": "user", "uuid": "id-opened", "timestamp": "2025-10-09T08:53:20.000Z",
              "properties": .object(opened),
            ],
            [
              "event": "closed", "distinct_id": "device", "uuid": "id-closed", "timestamp": "2025-10-09T08:53:20.000Z",
              "properties": .object(closed),
            ],
          ],
        ]
      ])
  }

  @Test func `queued events are sent when the timer fires`() async {
    let collector = Collector()
    let delivery = TrackDelivery(sender: collector, clock: clock)
    delivery.enqueue(event("a"))
    delivery.enqueue(event("b"))
    while clock.sleeperCount == 0 { await Task.yield() }
    #expect(collector.all.isEmpty)
    clock.advance(by: .seconds(5))
    while collector.all.isEmpty { await Task.yield() }
    #expect(collector.all.first?["batch"]?.arrayValue?.map { $0["event"] } == ["a", "b"])
    #expect(collector.all.first?["api_key"] == nil)
  }

  @Test func `a failed batch is counted as lost, and the next one is sent`() async {
    let delivery = TrackDelivery(sender: Collector(fails: true), clock: clock)
    delivery.enqueue(event("a"))
    await delivery.drain()
    #expect(delivery.lostCount == 1)
    delivery.enqueue(event("b"))
    await delivery.drain()
    #expect(delivery.lostCount == 2)
    await delivery.drain()
  }

  @Test func `many events are sent in batches, each once and in order`() async {
    let collector = Collector()
    let delivery = TrackDelivery(sender: collector, clock: clock)
    for number in 0..<120 { delivery.enqueue(event("e\(number)")) }
    await delivery.drain()
    let names = collector.all.flatMap { $0["batch"]?.arrayValue ?? [] }.map { $0["event"]?.stringValue }
    #expect(names == (0..<120).map { "e\($0)" })
    #expect(collector.all.allSatisfy { ($0["batch"]?.arrayValue?.count ?? 0) <= 50 })
  }
}
