import BridgeCore
import BridgeRuntime
import Essentials

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
