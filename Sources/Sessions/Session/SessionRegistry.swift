import BridgeCore
package import BridgeRuntime
package import Logging

/// The sessions of the server.
@BridgeActor
package final class SessionRegistry {
  /// The options.
  package var options: SessionOptions { shared.wrappedValue }
  private let shared: Shared<SessionOptions>
  /// The record of new sessions.
  let newRecord: SessionRecord
  let logger: Logger
  let bounds: BoundLog
  /// The secrets that the journals of all sessions leave out.
  private let secrets: IssuedSecrets?
  private let bridges: StartedBridges
  /// The part of the server that bridges use.
  package var server: ServerContext { bridges.server }
  /// The bridges of the sessions.
  package var bridgeTable: BridgeTable { bridges.table }
  let store: SessionStore?
  let writer: StateWriter?
  /// Which sessions are this replica's; nil for a server that shares its store with no other.
  package let ownership: SessionOwnership?
  package let clock: any BridgeClock
  /// The source of unpredictable values.
  private let random: BridgeRandom
  /// The source of the sessions' ids; nil if they are unpredictable, too.
  private let seeded: BridgeRandom?
  let journalSpace: JournalSpace
  /// What is counted of all sessions.
  package let metrics = SessionMetrics()
  /// The errors that the linter has found in sessions that have ended.
  package let lintTally = LintTally()
  /// What tests have named so that sessions can begin with it.
  package var snapshots = NamedSnapshots()
  /// What sessions begin with that a browser makes; nil for an app that was just installed.
  package var beginning: SessionSnapshot?
  private var countByName: [String: Int] = [:]
  private(set) var sessionByKey: [SessionKey: Session] = [:]
  private var sweeping: Task<Void, Never>?
  private var upkeep: Task<Void, Never>?
  private var keyByID: [String: SessionKey] = [:]

  package init(
    options: SessionOptions,
    newRecord: SessionRecord,
    logger: Logger,
    bounds: BoundLog,
    bridges: StartedBridges,
    store: SessionStore?,
    ownership: SessionOwnership? = nil,
    clock: any BridgeClock,
    random: BridgeRandom,
    secrets: IssuedSecrets? = nil
  ) {
    self.secrets = secrets
    self.ownership = ownership
    shared = Shared(wrappedValue: options)
    self.newRecord = newRecord
    self.logger = logger
    self.bounds = bounds
    self.bridges = bridges
    self.store = store
    writer = store.map { [metrics] in StateWriter($0, metrics, ownership) }
    self.clock = clock
    self.random = random
    seeded = options.seed.map { BridgeRandom(seed: $0) }
    journalSpace = JournalSpace(byteLimit: options.limits.journalBytes)
    journalSpace.onFull = {
      bounds.note(
        "The journals have reached their memory limit. The sessions that were idle for longest have dropped old entries."
      )
    }
    bridges.server.sessions = self
    writer?.onDamage = { [weak self] in await self?.replaceDamagedStore() }
    beginOwnership()
  }

  /// The server listens. The maintenance of the store begins.
  ///
  /// - Parameter address: Where the other servers on the same store reach this one.
  package func begin(at address: String = "") {
    if let ownership {
      // Without a lease, no session can be launched.
      ownership.onEntered = { [weak self] in self?.continueWork() }
      ownership.begin(at: address)
    } else {
      server.begin()
    }
    guard let store else { return }
    upkeep = Task { [weak self] in await self?.lookAfter(store) }
  }

  // MARK: Finding

  /// The running sessions, by id.
  package var running: [Session] { sessionByKey.values.sorted { $0.id < $1.id } }

  /// The names of all scenarios.
  package var scenarios: [String] { options.scenarios.keys.sorted() }

  /// The session whose cookie has this value. Launches it if it is not running.
  ///
  /// Accepts a well-formed value that this server has not issued. Browsers send cookies to every port of a host, so the value may come from
  /// another Footbridge, or from an earlier run of this one.
  ///
  /// Throws if the store cannot be read: a new session would overwrite the stored one.
  package func session(cookieValue: String) async throws -> Session {
    let session = try await session(SessionKey(cookieValue: cookieValue))
    session.journal.secrets.remember(Secret(cookieValue))
    session.note(cookieValue: cookieValue)
    return session
  }

  /// The session with this id, if it is running.
  package func running(id: String) -> Session? { keyByID[id].flatMap { sessionByKey[$0] } }

  /// The session with this id. Launches it if it is not running. Nil if neither the server nor its store knows it. Throws if the store
  /// cannot be read.
  package func session(id: String) async throws -> Session? {
    if let key = keyByID[id] { return sessionByKey[key] }
    guard SessionKey.isID(id) else { return nil }
    // It may run elsewhere, and not be stored yet.
    if let ownership, let key = try await ownership.key(ofID: id), !ownership.owns(key) {
      try await own(SessionKey(rawValue: key))
    }
    guard let key = try await store?.key(ofID: id) else { return nil }
    return try await session(SessionKey(rawValue: key))
  }

  /// The session with this key. Launches it if it is not running. Throws if the store cannot be read.
  func session(_ key: SessionKey) async throws -> Session {
    if let session = sessionByKey[key] {
      session.noteUse()
      return session
    }
    try await own(key)
    var stored = try await stored(key)
    var new: SessionRecord?
    if stored == nil {
      stored = try await newStored()
      new = try await presentNewRecord()
    }
    try checkOwned(key)
    // While the store was read, another page of the session may have come.
    return sessionByKey[key]
      ?? launch(key, writer: writer, stored: stored, new: new, firstScenario: options.scenario)
  }

  /// The session whose cookie has this value, if it is running.
  package func running(cookieValue: String) -> Session? { sessionByKey[SessionKey(cookieValue: cookieValue)] }

  /// The session whose cookie has this value, if it is running or stored. Nil for a new session.
  package func known(cookieValue: String) async -> Session? {
    let key = SessionKey(cookieValue: cookieValue)
    if let session = sessionByKey[key] { return session }
    guard (try? await own(key)) != nil, let stored = try? await stored(key), (try? checkOwned(key)) != nil else {
      return nil
    }
    return sessionByKey[key] ?? launch(key, writer: writer, stored: stored, firstScenario: options.scenario)
  }

  private func launch(
    _ key: SessionKey, writer: StateWriter?, stored: StoredSession?, new: SessionRecord? = nil,
    journal: Journal? = nil, lint: SessionLint? = nil, name: String = "", firstScenario: String? = nil
  ) -> Session {
    let record = stored?.record
    let stream = seeded == nil ? nil : record?.profile.stream?.next ?? newStream(record?.profile.name ?? name)
    let session = Session(
      key: key,
      options: shared,
      logger: logger,
      bridges: bridges,
      writer: writer,
      stored: stored,
      newRecord: new ?? newRecord,
      journal: journal ?? Journal(clock: clock, bridges: bridges.table, space: journalSpace),
      lint: lint,
      firstScenario: firstScenario,
      keepsRules: ownership != nil && writer != nil,
      seededDeviceID: stream.flatMap { seeded?.stream($0.deviceName).token() },
      clock: clock,
      random: stream.flatMap { seeded?.stream($0.name) } ?? BridgeRandom(),
      metrics: metrics
    )
    session.journal.secrets.server = secrets
    session.onBound = { [bounds] in bounds.note($0) }
    session.onEmpty = { [weak self, weak session] in
      if let self, let session { endUnlessLasting(session) }
    }
    session.onKill = { [weak self, weak session] in
      if let self, let session, sessionByKey[session.key] === session { relaunch(session, isKilled: true) }
    }
    endIdleSessionsAboveLimit()
    if let stream { session.profile.stream = stream }
    sessionByKey[key] = session
    keyByID[key.id] = key
    startSweeping()
    return session
  }

  /// The pages of all sessions.
  package var pages: [Page] { sessionByKey.values.flatMap(\.pages) }

  /// The server stops. Returns when everything that has happened is stored.
  package func stop() async {
    upkeep?.cancel()
    store?.willClose()
    for session in sessionByKey.values { await session.stop() }
    await ownership?.stop()
    store?.close()
  }

  /// The server has stopped. Pages send nothing any more.
  package func letGo() {
    for session in sessionByKey.values {
      session.letGo()
      session.ownBridges.stop()
    }
  }

  // MARK: New sessions

  /// The value of a new session's cookie.
  package func newCookieValue() -> String { random.token() }

  /// A session for a client without the cookie. Nobody else is in it, and it ends with its connection. The usual world may be another
  /// server's: it then has one of its own.
  package func transient() -> Session {
    let record = beginning.map { withNewIDs($0).record(at: clock.now) }
    let session = launch(
      SessionKey(cookieValue: newCookieValue()), writer: nil,
      stored: record.map { StoredSession(record: $0, pages: [:]) },
      new: ownership == nil ? nil : newRecord.withoutWorld, firstScenario: options.scenario)
    session.onEmpty = { [weak self, weak session] in
      guard let self, let session else { return }
      remove(session)
    }
    return session
  }

  /// The source of the ids of orders that a new session of this name brings along.
  func randomOfOrders(_ name: String) -> BridgeRandom {
    guard let seeded else { return random }
    let stream = newStream("orders \(name)")
    return seeded.stream("\(stream.sessionName) \(stream.number)")
  }

  private func newStream(_ name: String) -> SessionStream {
    countByName[name, default: 0] += 1
    return SessionStream(sessionName: name, number: countByName[name, default: 0])
  }

  /// Creates, launches and stores a session. Returns it and the value of its cookie. It begins with the default scenario unless it has its
  /// own, or begins with a snapshot.
  package func create(
    name: String, beginsUsualScenario: Bool, from snapshot: SessionSnapshot? = nil
  ) -> (session: Session, cookieValue: String) {
    let value = newCookieValue()
    let record = snapshot?.record(at: clock.now)
    let session = launch(
      SessionKey(cookieValue: value), writer: writer, stored: record.map { StoredSession(record: $0, pages: [:]) },
      name: name, firstScenario: beginsUsualScenario ? options.scenario : nil)
    session.note(cookieValue: value)
    // The option was checked against the scenarios, and the scenarios against the bridges.
    if snapshot?.isNew == true, beginsUsualScenario, let scenario = options.scenario {
      try? session.begin(scenario: scenario)
    }
    session.drive()
    session.state.changed()
    return (session, value)
  }

  // MARK: Ends

  /// Relaunches the app. What is stored stays, and so do rules. Pages end. `isKilled` says whether a rule has killed the app, which leaves its
  /// pages no time.
  package func relaunch(_ session: Session, isKilled: Bool = false) {
    if session.state.isAbandoned { return }
    let rules = session.rules.list
    if !isKilled { session.concludeLint() }
    for bridge in session.bridges { bridge.appWillEnd() }
    let next = restart(session, session.state.record)
    next.rules.carryOver(rules, from: session.rules)
    for bridge in next.bridges { bridge.restarted(.relaunch) }
  }

  /// Resets a session to its initial state. Its name, platform, scenario and presentation mode stay, and so does what bridges want to keep.
  /// Pages end.
  package func reset(_ session: Session) {
    if session.state.isAbandoned { return }
    var profile = session.profile
    profile.time = .servers
    let next = restart(session, after: .reset, profile)
    if let scenario = profile.scenario { try? next.begin(scenario: scenario) }
    for bridge in next.bridges { bridge.restarted(.reset) }
  }

  /// Deletes the app of a session and installs it anew: what it has stored is gone. What belongs to the person stays, such as orders, and so
  /// does what tests have set: settings, rules and the clock. Pages end.
  package func reinstall(_ session: Session) {
    if session.state.isAbandoned { return }
    let rules = session.rules.list
    let next = restart(session, after: .reinstall, session.profile)
    next.rules.carryOver(rules, from: session.rules)
    for bridge in next.bridges { bridge.restarted(.reset) }
  }

  /// Starts a session again with this profile, and with what a loss leaves of its states and of its bridges' settings.
  private func restart(_ session: Session, after loss: StateLoss, _ profile: SessionProfile) -> Session {
    var profile = profile
    for bridge in session.bridgeTable.definitions {
      profile[bridge.name] = bridge.profileAfterReset(profile[bridge.name])
    }
    return restart(
      session, SessionRecord(session.state.record.statesLeft(by: loss, new: newRecord), profile: profile))
  }

  @discardableResult
  private func restart(_ session: Session, _ record: SessionRecord) -> Session {
    session.onEmpty = nil
    session.end()
    var record = record
    // What waited waits no more, and the caller knows which rules stay.
    record.profile.rules = nil
    let stored = StoredSession(record: record, pages: [:])
    let writer = session.state.isDurable ? writer : nil
    let next = launch(session.key, writer: writer, stored: stored, journal: session.journal, lint: session.lint)
    next.takeOver(from: session)
    next.drive()
    next.state.takeOver(from: session.state)
    next.state.changed()
    return next
  }

  /// Ends a session and deletes everything about it.
  package func delete(_ session: Session) async {
    session.onEmpty = nil
    remove(session)
    session.state.forget()
    _ = await session.state.kept()
  }

  /// Regularly ends the sessions that were idle for too long.
  private func startSweeping() {
    guard sweeping == nil else { return }
    let interval = min(options.limits.sessionIdleTimeout / 4, .seconds(3600))
    sweeping = Task { [weak self] in
      while true {
        guard let clock = self?.clock else { break }
        try? await clock.sleep(for: interval)
        guard let self, !sessionByKey.isEmpty else { break }
        endIdleSessions()
      }
      self?.sweeping = nil
    }
  }

  func remove(_ session: Session) {
    forget(session)
    session.concludeLint()
    lintTally.add(session.lint)
    session.end()
    for bridge in session.bridges { bridge.deleted() }
    session.ownBridges.stop()
    session.journal.end()
  }

  /// The session is not found any more.
  func forget(_ session: Session) {
    sessionByKey[session.key] = nil
    keyByID[session.id] = nil
  }
}
