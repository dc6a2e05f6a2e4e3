import BridgeRuntime

/// What a body says about a clock.
struct ClockChange {
  private var isFrozen: Bool?
  private var now: BridgeInstant?

  /// Nothing.
  init() {}

  /// Reads `{frozen?, now?}`.
  init(_ node: YAMLNode) throws(OptionError) {
    let members = try node.section(["frozen", "now"])
    isFrozen = try members["frozen"]?.bool()
    if let node = members["now"] {
      guard let now = BridgeInstant(rfc3339: try node.text()) else {
        throw node.expected("a time of RFC 3339 from 1970 on, such as 2026-01-31T12:00:00Z")
      }
      self.now = now
    }
  }

  /// Changes the session's clock.
  @BridgeActor
  func apply(to session: Session) {
    session.setClock(frozen: isFrozen, now: now)
  }
}
