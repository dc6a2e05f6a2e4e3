package import BridgeRuntime

/// The handlers of one declared bridge: one for all sessions, and those that have connected for one session. The latter take precedence.
@BridgeActor
package final class DeclaredHandlers {
  /// Why a handler cannot connect.
  package struct Conflict: Error, CustomStringConvertible {
    package let description: String
  }

  /// An event of a session.
  enum SessionEvent {
    case relaunched, reset
    /// Its clock shows `now`, a time of RFC 3339, or was stopped or started.
    case clock(now: String, isFrozen: Bool)
  }

  private let bridge: String
  private let log: HandlerLog
  private let access: HandlerAccess
  /// The handler that the declaration names; nil for none.
  private let declared: DeclaredHandler?
  /// Whether the server starts or calls the declared handler, so that no other one can connect for all sessions.
  private let isReachedByUs: Bool
  private var connected: DeclaredHandler?
  private var bySession: [String: DeclaredHandler] = [:]
  /// Closes the connection of a session's handler.
  private var closes: [String: () -> Void] = [:]
  private var closeShared: (() -> Void)?
  private var sessions: [String: DeclaredSession] = [:]
  /// Ends the handler that the server starts or calls.
  package var onStop: (() -> Void)?

  /// Creates the handlers of a bridge.
  ///
  /// - Parameters:
  ///   - access: What a handler learns of the control API.
  ///   - isDeclared: Whether messages wait for a handler that is away.
  ///   - isReachedByUs: Whether the server starts or calls it.
  init(bridge: String, log: HandlerLog, access: HandlerAccess, isDeclared: Bool, isReachedByUs: Bool) {
    self.bridge = bridge
    self.log = log
    self.access = access
    self.isReachedByUs = isReachedByUs
    declared = isDeclared ? DeclaredHandler(bridge: bridge, log: log, access: access) : nil
  }

  /// The handler for all sessions that the declaration names; nil for none.
  package var shared: DeclaredHandler? { declared ?? connected }

  /// The handler of a session; nil when there is none.
  func handler(of session: String) -> DeclaredHandler? {
    if bySession.isEmpty { return shared }
    return bySession[session] ?? shared
  }

  /// Ends the handlers, since the bridge ends.
  package func stop() {
    onStop?()
    onStop = nil
    closeShared?()
    closeShared = nil
    for close in closes.values { close() }
    closes = [:]
    bySession = [:]
    sessions = [:]
  }

  // MARK: Sessions

  /// A session has begun, or its app was launched again.
  func began(_ session: DeclaredSession) { sessions[session.id] = session }

  /// Tells the session's handler about an event.
  func tell(_ event: SessionEvent, _ session: String) {
    guard let handler = handler(of: session) else { return }
    switch event {
    case .relaunched: handler.tell(session: session, ["state": "relaunched"])
    case .reset: handler.tell(session: session, ["state": "reset"])
    case .clock(let now, let isFrozen):
      handler.tell(session: session, ["state": "clock", "now": .string(now), "frozen": .bool(isFrozen)])
    }
  }

  /// A session was deleted.
  func ended(_ session: DeclaredSession) {
    handler(of: session.id)?.deleted(session: session.id)
    forget(session)
  }

  /// Another server runs a session from now on, or the session has ended. Closes the connection of its own handler.
  func forget(_ session: DeclaredSession) {
    guard sessions[session.id] === session else { return }
    sessions[session.id] = nil
    closes.removeValue(forKey: session.id)?()
    bySession[session.id] = nil
  }

  // MARK: Handlers that connect

  /// Connects a handler. It replaces an earlier one. Call ``checkConnection(session:)`` before.
  ///
  /// - Parameters:
  ///   - session: The id of the session that it serves; nil for all sessions without a handler of their own.
  ///   - close: Closes its connection.
  package func connect(
    session: String?, _ transport: any HandlerTransport, close: @escaping () -> Void
  ) -> DeclaredHandler {
    guard let session else { return connectShared(transport, close) }
    closes.removeValue(forKey: session)?()
    let handler = DeclaredHandler(bridge: bridge, log: log, access: access)
    let pages = sessions[session]?.pages ?? []
    for page in pages { shared?.handedOver(page) }
    bySession[session] = handler
    closes[session] = close
    handler.connected(transport)
    handler.catchUp(pages)
    return handler
  }

  /// Checks whether a handler may connect, before its WebSocket is opened.
  ///
  /// - Throws: ``Conflict`` if the declaration says how the handler for all sessions is reached.
  package func checkConnection(session: String?) throws(Conflict) {
    guard session == nil, isReachedByUs else { return }
    throw Conflict(
      description:
        "The bridge \(bridge) has a handler that the server starts or calls itself. Connect one for a session, or declare "
        + "handler: connect.")
  }

  private func connectShared(_ transport: any HandlerTransport, _ close: @escaping () -> Void) -> DeclaredHandler {
    closeShared?()
    closeShared = close
    if let declared {
      declared.disconnected()
      declared.connected(transport)
      return declared
    }
    let handler = DeclaredHandler(bridge: bridge, log: log, access: access)
    connected = handler
    handler.connected(transport)
    for session in sessions.values where bySession[session.id] == nil { handler.catchUp(session.pages) }
    return handler
  }

  /// The connection of a handler has closed. This has no effect if another one has replaced it. `reason` is that of
  /// ``DeclaredHandler/disconnected(because:)``.
  package func disconnected(
    _ handler: DeclaredHandler, _ transport: any HandlerTransport, session: String?, because reason: String? = nil
  ) {
    guard handler.isReached(by: transport) else { return }
    if let session {
      guard bySession[session] === handler else { return handler.disconnected(because: reason) }
      bySession[session] = nil
      closes[session] = nil
      handler.disconnected(because: reason)
      shared?.catchUp(sessions[session]?.pages ?? [])
    } else {
      if shared === handler { closeShared = nil }
      if connected === handler { connected = nil }
      handler.disconnected(because: reason)
    }
  }
}
