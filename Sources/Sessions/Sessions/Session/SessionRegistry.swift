import BridgeCore
package import BridgeRuntime
import Delivery
import Essentials
package import Logging

/// The sessions of the server.
@BridgeActor
package final class SessionRegistry {
  /// The options.
  package var options: SessionOptions { shared.wrappedValue }
  private let shared: Shared<SessionOptions>
  /// The record of new sessions.
  let newRecord: SessionRecord
  package let logger: Logger
  let limitLog: LimitLog
  /// The secrets that all journals hide.
  private let secrets: IssuedSecrets?
  private let bridges: StartedBridges
  /// The part of the server that bridges use.
  package var server: ServerContext { bridges.server }
  /// The bridges of the sessions.
  package var bridgeTable: BridgeTable { bridges.table }
  package let store: SessionStore?
  let writer: StateWriter?
  /// The sessions that this server may run.
  package let ownership: any Ownership
  package let clock: any BridgeClock
  /// The source of unpredictable values.
  private let random: BridgeRandom
  /// The source of the sessions' ids; nil if they are unpredictable, too.
  private let seeded: BridgeRandom?
  let journalSpace: JournalSpace
  /// The memory that the pages of all sessions share.
  private let space: SessionSpace
  /// The metrics of all sessions.
  package let metrics = SessionMetrics()
  /// The errors that the linter has found in ended sessions.
  package let lintTally = LintTally()
  /// The snapshots that tests have named.
  package let snapshots: NamedSnapshots
  /// The snapshot with which a browser's new session begins; nil for a newly installed app.
  package var initialSnapshot: SessionSnapshot?
  private var countByName: [String: Int] = [:]
  private(set) var sessionByKey: [SessionKey: Session] = [:]
  let deletions = SessionDeletions()
  /// Whether everything was stored when the sessions were stopped.
  private var isStored = true
  /// The check of the store that is under way.
  var examination: Task<Void, Never>?
  /// How often the store was replaced by an empty one.
  var storeReplacementCount = 0
  /// Whether the log says that the disk cannot read the store.
  var isStoreUnreadable = false
  private var sweeping: Task<Void, Never>?
  private var maintenance: Task<Void, Never>?
  private var keyByID: [String: SessionKey] = [:]
  /// The documents that were served to sessions that do not run yet, by the sessions' ids.
  var earlyArrivals: [String: DocumentArrivals] = [:]
  /// The tokens for single sessions, by the sessions' ids.
  var tokens: [String: SessionToken] = [:]

  package init(
    options: SessionOptions,
    newRecord: SessionRecord,
    logger: Logger,
    limitLog: LimitLog,
    bridges: StartedBridges,
    store: SessionStore?,
    ownership: any Ownership = SoleOwner(),
    clock: any BridgeClock,
    random: BridgeRandom,
    secrets: IssuedSecrets? = nil
  ) {
    self.secrets = secrets
    self.ownership = ownership
    shared = Shared(wrappedValue: options)
    self.newRecord = newRecord
    self.logger = logger
    self.limitLog = limitLog
    self.bridges = bridges
    self.store = store
    snapshots = NamedSnapshots(store, newStates: newRecord.states)
    writer = store.map { [metrics] in StateWriter($0, metrics, ownership) }
    self.clock = clock
    self.random = random
    seeded = options.seed.map { BridgeRandom(seed: $0) }
    space = SessionSpace(byteLimit: options.limits.web.totalBytes)
    journalSpace = JournalSpace(byteLimit: options.limits.journalBytes)
    journalSpace.onFull = {
      limitLog.note(
        "The journals have reached their memory limit. The sessions that were idle for longest have dropped old entries."
      )
    }
    bridges.server.sessions = self
    writer?.onDamage = { [weak self] in await self?.examineStore() }
    writer?.onMoved = { [weak self] key in
      ownership.lost(key.rawValue)
      // End it even if it was never owned: a new session may not be claimed yet.
      self?.abandon(key)
    }
    ownership.delegate = self
  }

  /// Begins the lease and the maintenance of the store, since the server listens.
  ///
  /// - Parameter address: The host and port where other servers on the same store reach this one.
  package func begin(at address: String = "") {
    // The work begins with the lease: without it, no session can be launched.
    ownership.begin(at: address)
    guard let store else { return }
    maintenance = Task { [weak self] in await self?.lookAfter(store) }
  }

  // MARK: Finding

  /// The running sessions, by id.
  package var running: [Session] { sessionByKey.values.sorted { $0.id < $1.id } }

  /// The names of all scenarios.
  package var scenarios: [String] { options.scenarios.keys.sorted() }

  /// Returns the session whose cookie has this value. Launches it if it is not running.
  ///
  /// Accepts a well-formed value that this server has not issued. Browsers send cookies to every port of a host, so the value may come from
  /// another Footbridge, or from an earlier run of this one.
  ///
  /// - Throws: An error if the store cannot be read. A new session would overwrite the stored one.
  package func session(cookieValue: String) async throws -> Session {
    let session = try await session(SessionKey(cookieValue: cookieValue))
    session.journal.secrets.remember(Secret(cookieValue))
    session.note(cookieValue: cookieValue)
    return session
  }

  /// The session with this id, if it is running.
  package func running(id: String) -> Session? { keyByID[id].flatMap { sessionByKey[$0] } }

  /// Returns the session with this id. Launches it if it is not running. Returns nil if neither the server nor its store knows it.
  ///
  /// - Throws: An error if the store cannot be read.
  package func session(id: String) async throws -> Session? {
    if let key = keyByID[id] { return sessionByKey[key] }
    guard SessionKey.isID(id) else { return nil }
    // The session may run on another server without being stored yet.
    if let key = try await ownership.key(ofID: id), !ownership.owns(key) {
      try await own(SessionKey(rawValue: key))
    }
    guard let key = try await store?.key(ofID: id) else { return nil }
    return try await session(SessionKey(rawValue: key))
  }

  /// Returns the session with this key. Launches it if it is not running.
  ///
  /// - Throws: An error if the store cannot be read.
  package func session(_ key: SessionKey) async throws -> Session {
    if let session = sessionByKey[key] {
      session.noteUse()
      return session
    }
    try await own(key)
    var stored = try await stored(key)
    var new: SessionRecord?
    let isStored = stored != nil
    if stored == nil {
      new = try await presentNewRecord()
      // Nothing may be awaited between this and the launch: another session could get the same ids of orders.
      stored = try await newStored()
    }
    try checkOwned(key)
    // Another call may have launched the session while this one read the store.
    return sessionByKey[key]
      ?? launch(
        key, writer: writer, stored: stored, new: new, firstCursor: firstCursor(isStored: isStored),
        firstScenario: options.scenario)
  }

  /// The session whose cookie has this value, if it is running.
  package func running(cookieValue: String) -> Session? { sessionByKey[SessionKey(cookieValue: cookieValue)] }

  /// The session of a request's cookie, if it is running. Nil without a cookie.
  package func running(_ cookie: ReceivedSessionCookie?) -> Session? { cookie.flatMap { sessionByKey[$0.key] } }

  /// Returns the session whose cookie has this value; nil if it is neither running nor stored.
  ///
  /// - Throws: An error if the store cannot be read.
  package func known(cookieValue: String) async throws -> Session? {
    try await known(SessionKey(cookieValue: cookieValue))
  }

  /// Returns the session of a request's cookie; nil if it is neither running nor stored.
  ///
  /// - Throws: An error if the store cannot be read.
  package func known(_ cookie: ReceivedSessionCookie) async throws -> Session? { try await known(cookie.key) }

  private func known(_ key: SessionKey) async throws -> Session? {
    if let session = sessionByKey[key] { return session }
    try await own(key)
    guard let stored = try await stored(key) else { return nil }
    try checkOwned(key)
    return sessionByKey[key]
      ?? launch(
        key, writer: writer, stored: stored, firstCursor: firstCursor(isStored: true), firstScenario: options.scenario)
  }

  /// The first cursor of the journal of a session that may have had one before, here or at another server: more than any that was given.
  ///
  /// It is the time in microseconds. A journal would need more than one entry in each of them to reach the next journal of its session.
  /// Servers that share a store take the time of the database: their own clocks may differ.
  private func firstCursor(isStored: Bool) -> Int {
    if let time = ownership.storeTime { return max(1, time) }
    return isStored ? max(1, Int(Date().timeIntervalSince1970 * 1_000_000)) : 1
  }

  /// - Parameter firstCursor: The cursor of the first entry of its journal, unless it continues one.
  func launch(
    _ key: SessionKey, writer: StateWriter?, stored: StoredSession?, new: SessionRecord? = nil,
    journal: Journal? = nil, lint: SessionLint? = nil, ownBridges: OwnBridges? = nil,
    firstCursor: Int = 1, name: String = "", firstScenario: String? = nil
  ) -> Session {
    let record = stored?.record
    let stream = seeded == nil ? nil : record?.profile.stream?.next ?? newStream(record?.profile.name ?? name)
    let newRecord = new ?? newRecord
    let journal =
      journal ?? Journal(clock: clock, marks: bridges.table.marks, space: journalSpace, firstCursor: firstCursor)
    journal.secrets.server = secrets
    let parts = SessionParts(
      key: key, record: record ?? newRecord, written: stored.flatMap { certain($0) }, newRecord: newRecord,
      writer: writer,
      journal: journal, lint: lint,
      seededDeviceID: stream.flatMap { seeded?.stream($0.deviceName).token() },
      random: stream.flatMap { seeded?.stream($0.name) } ?? BridgeRandom(),
      on: SessionParts.Server(
        options: shared, bridges: bridges, clock: clock, metrics: metrics, logger: logger, limitLog: limitLog,
        space: space))
    let session = Session(parts)
    session.start(
      stored: stored, ownBridges: ownBridges, firstScenario: firstScenario,
      retainsRules: ownership.isShared && writer != nil, on: server)
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
    handOverEarlyDocuments(to: session)
    startSweeping()
    return session
  }

  /// The pages of all sessions.
  package var pages: [Page] { sessionByKey.values.flatMap(\.pages) }

  /// Notes that the server is about to stop. Calls no longer wait long for the store.
  package func willStop() {
    maintenance?.cancel()
    store?.willClose()
  }

  /// Stops all sessions. Returns when all changes are stored, or at the deadline.
  package func stop(before deadline: ContinuousClock.Instant) async {
    for session in sessionByKey.values { session.willStop() }
    let states = sessionByKey.values.map(\.state)
    isStored = await Self.isDone(before: deadline) { for state in states { _ = await state.stored() } }
    if !isStored {
      let count = states.count { $0.isPending }
      logger.error(
        "The changes of \(count) sessions could not be stored in time. The calls that have made them are not answered.")
    }
    isStored = await Self.isDone(before: deadline) { await self.ownership.stop() } && isStored
  }

  /// Runs `body`, but does not wait for it longer than until the deadline. Returns whether it has ended.
  private static func isDone(
    before deadline: ContinuousClock.Instant, _ body: @escaping @BridgeActor () async -> Void
  ) async -> Bool {
    let (ends, end) = AsyncStream<Bool>.makeStream()
    Task {
      await body()
      end.yield(true)
    }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      end.yield(false)
    }
    defer { timer.cancel() }
    for await isDone in ends { return isDone }
    return false
  }

  /// Closes the store, and releases all pages and the sessions' own bridges, after the server has stopped.
  package func close() async {
    // A store that does not answer is left as it is: to close it could take long.
    if isStored {
      await maintenance?.value
      store?.close()
    }
    for session in sessionByKey.values {
      session.releasePages()
      session.ownBridges.stop()
    }
  }

  // MARK: New sessions

  /// Creates the value of a new session's cookie.
  package func newCookieValue() -> String { random.token() }

  /// Creates a session for a client without the cookie. It ends with its connection. If servers share the store, it does not join the usual
  /// world, which another server may own.
  package func transient() -> Session {
    let record = initialSnapshot.map { withNewIDs($0).record(at: clock.now) }
    let session = launch(
      SessionKey(cookieValue: newCookieValue()), writer: nil,
      stored: record.map { StoredSession(record: $0, pages: [:]) },
      new: !ownership.isShared ? nil : newRecord.withoutWorld, firstScenario: options.scenario)
    session.onEmpty = { [weak self, weak session] in
      guard let self, let session else { return }
      remove(session)
    }
    return session
  }

  /// Returns the random numbers for the ids of orders with which a new session of this name begins.
  func randomOfOrders(_ name: String) -> BridgeRandom {
    guard let seeded else { return random }
    let stream = newStream("orders \(name)")
    return seeded.stream("\(stream.sessionName) \(stream.number)")
  }

  private func newStream(_ name: String) -> SessionStream {
    countByName[name, default: 0] += 1
    return SessionStream(sessionName: name, number: countByName[name, default: 0])
  }

  /// Creates, launches and stores a session.
  ///
  /// - Parameters:
  ///   - name: The name; empty for none.
  ///   - beginsUsualScenario: Whether it begins with the default scenario.
  ///   - snapshot: The snapshot with which it begins; nil for a newly installed app.
  /// - Returns: The session, and the value of its cookie.
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
    session.tell(.runEnds)
    lintTally.add(session.lint)
    session.end()
    session.tell(.deleted)
    session.ownBridges.stop()
    session.journal.end(.deleted)
  }

  /// Removes a session from the registry.
  func forget(_ session: Session) {
    sessionByKey[session.key] = nil
    keyByID[session.id] = nil
    tokens[session.id] = nil
  }
}
