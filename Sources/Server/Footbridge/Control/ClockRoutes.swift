import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of a session's clock.
enum ClockRoutes {
  /// The maximum time to advance the clock at once, in milliseconds: a hundred years.
  private static let longestAdvance = 36_525 * 86_400_000

  static let all = [
    ControlRoute(.get, "/sessions/{session}/clock") { request in
      .json(try await request.session().clock.json)
    },
    ControlRoute(.patch, "/sessions/{session}/clock") { request in
      let session = try await request.session()
      try ClockChange(try await request.body()).apply(to: session)
      return .json(session.clock.json)
    },
    ControlRoute(.post, "/sessions/{session}/clock/advance") { request in
      let session = try await request.session()
      let body = try await request.body()
      session.setClock(now: try later(session.clock.now, by: body))
      return .json(session.clock.json)
    },
  ]

  /// Reads the time to advance: milliseconds, or an ISO 8601 duration. Returns the new time.
  private static func later(_ now: BridgeInstant, by body: InputNode) throws(OptionError) -> BridgeInstant {
    let members = try body.section(["milliseconds", "duration"])
    let later: BridgeInstant?
    switch (members["milliseconds"], members["duration"]) {
    case (let milliseconds?, nil):
      let moment = now.advanced(by: .milliseconds(try milliseconds.integer(in: 0...longestAdvance)))
      later = moment <= .lastOfRFC3339 ? moment : nil
    case (nil, let duration?):
      guard let parsed = ClockDuration(try duration.text()) else {
        throw duration.expected("an ISO 8601 duration, such as P1M, P30D or PT90S")
      }
      later = parsed.after(now)
    default: throw body.expected("an object with either milliseconds or duration")
    }
    guard let later else { throw body.expected("a shorter time: the clock ends with the year 9999") }
    return later
  }
}

extension SessionClock {
  /// The clock as the control API shows it.
  var json: JSONValue {
    ["frozen": .bool(time.isFrozen), "now": .string(now.rfc3339)]
  }
}

/// A change to a session's clock.
struct ClockChange {
  private var isFrozen: Bool?
  private var now: BridgeInstant?

  /// Changes nothing.
  init() {}

  /// Reads `{frozen?, now?}`.
  init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["frozen", "now"])
    isFrozen = try members["frozen"]?.bool()
    now = try members["now"]?.instant()
  }

  /// Changes the session's clock.
  @BridgeActor
  func apply(to session: Session) {
    session.setClock(frozen: isFrozen, now: now)
  }
}
