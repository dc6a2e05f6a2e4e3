import BridgeCore
import BridgeRuntime
import HTTPTypes

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
      guard let milliseconds = try body.section(["milliseconds"])["milliseconds"]?.integer(in: 0...longestAdvance)
      else { throw body.expected("an object with milliseconds") }
      let now = session.clock.now.advanced(by: .milliseconds(milliseconds))
      guard now <= .lastOfRFC3339 else { throw body.expected("fewer milliseconds: the clock ends with the year 9999") }
      session.setClock(now: now)
      return .json(session.clock.json)
    },
  ]
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
