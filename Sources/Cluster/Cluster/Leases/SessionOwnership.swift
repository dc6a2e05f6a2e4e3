package import BridgeRuntime
package import Logging
package import Sessions

/// Knows which sessions this replica owns. It renews the replica's lease, and gives up all sessions when the lease ends.
///
/// After a lost lease, the replica registers under a new id. So a late answer to a request of the old lease cannot be mistaken for one of
/// the new lease.
@BridgeActor
package final class SessionOwnership: Ownership {
  /// This replica; nil while it has no lease.
  package private(set) var replica: Replica?
  /// The replicas that had a valid lease at the last renewal.
  package private(set) var living: [Replica] = []
  /// The number of sessions that were taken over from replicas that have ended.
  package private(set) var takeOverCount = 0
  /// The times that it took to take over sessions.
  package private(set) var takeOverDurations = Histogram()
  /// The number of times that the lease was lost.
  package private(set) var lossCount = 0
  /// The database's time less this machine's clock, in microseconds; never more than it is.
  private var ahead = Int.min
  package let isShared = true
  package weak var delegate: (any OwnershipDelegate)?
  /// Called with replicas whose leases have ended.
  package var onEnded: ([Replica]) -> Void = { _ in }

  private let table: any ReplicaTable
  private let claims: GatheredClaims
  /// The host and port where the other replicas reach this one.
  var address = ""
  private let length: Duration
  private let random: BridgeRandom
  private let logger: Logger
  private let outage: StoreOutage
  private let now: () -> Int
  private var lease: ReplicaLease
  private var fences: [String: SessionFence] = [:]
  /// The other replicas that this one knows of and that have not ended.
  private var known: Set<Replica> = []
  /// The owned sessions that were not in use at the last check.
  private var unneeded: Set<String> = []
  /// The sessions that are being released.
  private var releasing: (keys: Set<String>, task: Task<Void, Never>)?
  private var lastSweep = 0
  private var ticking: Task<Void, Never>?
  private var hasStopped = false
  /// Those that this replica was before, and that the table may still have.
  private var former: Set<Replica> = []

  package init(
    table: any ReplicaTable, lease: Duration, random: BridgeRandom, logger: Logger,
    now: @escaping () -> Int = { MonotonicTime.nanosecondsWithSleep }
  ) {
    self.table = table
    claims = GatheredClaims(table)
    length = lease
    self.lease = ReplicaLease(length: lease)
    self.random = random
    self.logger = logger
    self.now = now
    outage = StoreOutage("say who runs a session", effect: "Requests that need it get 503 until this is fixed.", logger)
  }

  // MARK: What is owned

  /// Whether this replica has a valid lease now.
  package var hasLease: Bool { lease.isHeld(at: now()) }

  package var replicaID: String? { replica?.id }

  package var storeTime: Int? { databaseTime }

  /// The state of the lease now.
  package var leaseState: ReplicaLease.State { lease.state(at: now()) }

  /// The time since the last successful renewal; nil before the first one.
  package var timeSinceRenewal: Duration? { lease.lastRenewal.map { .nanoseconds(now() - $0) } }

  /// The time until the lease ends if it is not renewed.
  package var timeLeft: Duration { .nanoseconds(max(0, (lease.deadline ?? 0) - now())) }

  /// The number of sessions that this replica owns.
  package var count: Int { fences.count }

  /// Whether this replica may serve a session now.
  package func owns(_ key: String) -> Bool { fences[key] != nil && hasLease }

  /// Returns the fence of a session; nil if this replica does not own it.
  package func fence(of key: String) -> SessionFence? { fences[key] }

  /// The time on the database's clock, in microseconds since 1970: not before the last claim, and not ahead of the database.
  package var databaseTime: Int { max(0, ahead == .min ? 0 : now() / 1000 + ahead) }

  /// Returns the key of the owned session with this id; nil if there is none.
  package func ownedKey(ofID id: String) -> String? { keyByID[id] }
  private var keyByID: [String: String] = [:]

  /// Claims a session, unless this replica already owns it.
  ///
  /// - Parameter start: The time when the wait for the session began, in nanoseconds; nil for now.
  /// - Throws: ``StoreUnavailable`` if the database cannot be reached.
  package func claim(_ key: String, since start: Int? = nil) async throws -> SessionClaim {
    try await claim([key], since: start).first ?? .leaseEnded
  }

  package func claim(_ keys: [String]) async throws { _ = try await claim(keys, since: nil) }

  package func own(_ key: String) async throws {
    switch try await claim(key) {
    case .mine: break
    case .others(let replica): throw SessionElsewhere(key: key, address: replica.address)
    case .leaseEnded: throw SessionElsewhere(key: key, address: nil)
    }
  }

  /// Claims sessions, except those that this replica already owns.
  ///
  /// - Parameter start: The time when the wait for them began, in nanoseconds; nil for now.
  /// - Returns: One result for each key, in order.
  /// - Throws: ``StoreUnavailable`` if the database cannot be reached.
  package func claim(_ keys: [String], since start: Int?) async throws -> [SessionClaim] {
    let start = start ?? now()
    guard let replica, hasLease else { return keys.map { _ in .leaseEnded } }
    // Wait for a release that is on its way. If it arrived after the claim, it would undo the claim.
    if let releasing, keys.contains(where: releasing.keys.contains) { await releasing.task.value }
    let wanted = keys.filter { fences[$0] == nil }
    var results: [String: SessionClaim] = [:]
    if !wanted.isEmpty {
      let claimed = try await asked { try await claims.claim(wanted, usualWorld: delegate?.usualWorld, for: replica) }
      // The lease may have ended in the meantime, and a new one may have begun.
      guard self.replica == replica, hasLease else { return keys.map { _ in .leaseEnded } }
      for key in wanted {
        guard let claim = claimed[key] else { continue }
        results[key] = claim
        switch claim {
        case .mine(let fence): own(key, fence, since: start)
        case .others(let owner): known.insert(owner)
        case .leaseEnded: break
        }
      }
    }
    return keys.map { key in fences[key].map { .mine($0) } ?? results[key] ?? .leaseEnded }
  }

  /// Returns the key of the session with this id; nil if no replica owns it.
  ///
  /// - Throws: ``StoreUnavailable`` if the database cannot be reached.
  package func key(ofID id: String) async throws -> String? {
    if let key = keyByID[id] { return key }
    return try await asked { try await table.key(ofID: id) }
  }

  /// Asks the table, and logs if it gives no answer.
  private func asked<Answer: Sendable>(_ ask: () async throws -> Answer) async throws(StoreUnavailable) -> Answer {
    do {
      let answer = try await ask()
      outage.succeeded()
      return answer
    } catch {
      outage.failed(error)
      throw StoreUnavailable(cause: error)
    }
  }

  /// Notes that the store has refused a write, since another replica owns the session.
  package func lost(_ key: String) {
    guard fences[key] != nil else { return }
    disown(key)
    delegate?.ownershipLost(of: [key])
  }

  private func own(_ key: String, _ fence: SessionFence, since start: Int) {
    ahead = max(ahead, fence.claimedAt - now() / 1000)
    if fences.updateValue(fence, forKey: key) == nil, fence.number > 1 {
      takeOverCount += 1
      takeOverDurations.count(now() - start)
    }
    keyByID[String(key.prefix(SessionKey.idLength))] = key
  }

  private func disown(_ key: String) {
    fences[key] = nil
    unneeded.remove(key)
    keyByID[String(key.prefix(SessionKey.idLength))] = nil
  }

  // MARK: The lease

  /// Begins the lease, and renews it until ``stop()``.
  ///
  /// - Parameter address: The host and port where the other replicas reach this one.
  package func begin(at address: String) {
    self.address = address
    continueTicking()
  }

  private func continueTicking() {
    guard ticking == nil, !hasStopped else { return }
    ticking = Task { [weak self] in
      while !Task.isCancelled {
        guard let wait = self?.tick() else { return }
        try? await Task.sleep(for: wait)
      }
    }
  }

  /// Does what the lease needs now. Returns the time until the next call.
  @discardableResult
  package func tick() -> Duration {
    let time = now()
    switch lease.action(at: time) {
    case .giveUp:
      giveUpAll()
      return .zero
    case .enter:
      lease.began(at: time)
      send(Replica(id: random.token(), address: address), isNew: true, at: time)
    case .renew:
      lease.began(at: time)
      if let replica { send(replica, isNew: false, at: time) }
    case .wait(let next):
      return .nanoseconds(min(next, lease.deadline ?? next) - time)
    }
    return .zero
  }

  package func checkLease() { tick() }

  /// Extends the lease now, before it is due.
  func renewNow() {
    guard let replica else { return }
    lease.began(at: now())
    send(replica, isNew: false, at: now())
  }

  private func send(_ replica: Replica, isNew: Bool, at sent: Int) {
    // `known` has its value from before the request: the answer may miss replicas that register after it was made.
    Task { [weak self, table, length, known] in
      do {
        if isNew {
          try await table.enter(replica, lease: length)
          self?.entered(replica, sentAt: sent)
        } else {
          let living = try await table.renew(replica, lease: length)
          self?.renewed(replica, living, known, sentAt: sent)
        }
      } catch {
        self?.failed(replica, isNew: isNew, error)
      }
    }
  }

  private func entered(_ replica: Replica, sentAt sent: Int) {
    guard self.replica == nil, !hasStopped else { return leave(replica) }
    lease.succeeded(sentAt: sent, at: now())
    guard hasLease else { return leave(replica) }
    self.replica = replica
    living = [replica]
    for replica in former { leave(replica) }
    logger.info("This is replica \(replica.id.prefix(8)). Other replicas reach it at \(replica.address).")
    wake()
    delegate?.leaseBegan()
  }

  private func renewed(_ replica: Replica, _ living: [Replica]?, _ known: Set<Replica>, sentAt sent: Int) {
    // If the answer comes too late, its lease was already given up.
    guard self.replica == replica, hasLease else { return }
    guard let living else {
      lease.refused(at: now())
      return wake()
    }
    lease.succeeded(sentAt: sent, at: now())
    self.living = living
    let ended = known.subtracting(living)
    self.known = self.known.union(living).subtracting(ended).subtracting([replica])
    if !ended.isEmpty { onEnded(Array(ended)) }
    releaseUnneeded()
    delegate?.leaseRenewed()
  }

  private func failed(_ replica: Replica, isNew: Bool, _ error: any Error) {
    guard isNew ? self.replica == nil : self.replica == replica, !hasStopped else { return }
    let wasHeld = leaseState != .uncertain
    lease.failed(at: now())
    if wasHeld { logger.warning("The lease of this replica could not be renewed: \(error). The replica tries again.") }
    wake()
  }

  /// Gives up all sessions, since the lease has ended and other replicas may own them.
  private func giveUpAll() {
    let keys = Array(fences.keys)
    logger.error(
      "This replica has lost its lease and no longer serves its \(keys.count) sessions: it could not reach the database in time, or its process was stopped for too long."
    )
    lossCount += 1
    let lost = replica
    forgetAll()
    delegate?.ownershipLost(of: keys)
    // A renewal that the database gets late would keep the sessions from others for another lease.
    if let lost { leave(lost) }
  }

  private func forgetAll() {
    let former = Array(known)
    replica = nil
    living = []
    known = []
    fences = [:]
    keyByID = [:]
    unneeded = []
    if !former.isEmpty { onEnded(former) }
  }

  /// Restarts the loop, so that it calls ``tick()`` at once.
  private func wake() {
    guard ticking != nil, !hasStopped else { return }
    ticking?.cancel()
    ticking = nil
    continueTicking()
  }

  /// Releases sessions that were not in use at two checks in a row.
  private func releaseUnneeded() {
    guard let replica, releasing == nil, now() - lastSweep >= Self.sweepInterval else { return }
    lastSweep = now()
    let needed = delegate?.neededKeys ?? []
    let still = fences.keys.filter { !needed.contains($0) }
    let keys = still.filter { unneeded.contains($0) }
    unneeded = Set(still)
    if !keys.isEmpty { release(keys, of: replica) }
  }

  /// Releases a session that this replica cannot run, so that another one can claim it at once.
  package func release(_ key: String) {
    // While others are being released, the next check releases it.
    guard let replica, releasing == nil, fences[key] != nil else { return }
    release([key], of: replica)
  }

  private func release(_ keys: [String], of replica: Replica) {
    for key in keys { disown(key) }
    releasing = (
      Set(keys),
      Task { [weak self, table] in
        try? await table.release(keys, of: replica)
        self?.releasing = nil
      }
    )
  }

  /// The time between two checks, in nanoseconds. It gives a browser that has just got a document the time to open its page.
  private static let sweepInterval = 30_000_000_000

  private func leave(_ replica: Replica) {
    former.insert(replica)
    Task { [weak self, table] in
      do {
        try await table.leave(replica)
        self?.former.remove(replica)
      } catch {
        // It is tried again with the next lease.
      }
    }
  }

  /// Releases all sessions, so that other replicas can claim them at once. Call it after everything is stored.
  package func stop() async {
    hasStopped = true
    ticking?.cancel()
    defer { table.close() }
    guard let replica else { return }
    forgetAll()
    do {
      try await table.leave(replica)
    } catch {
      logger.warning(
        "The sessions of this replica could not be released: \(error). Other replicas take them over within \(length).")
    }
  }
}
