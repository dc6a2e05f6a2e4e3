import BridgeRuntime

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
