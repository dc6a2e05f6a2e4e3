package import BridgeRuntime
package import Logging

/// Which sessions this replica owns. It keeps the replica's lease, and forgets every session when the lease ends.
///
/// Each lease that is begun anew has a new id. So nothing that belonged to the lease before can be taken for this one's.
@BridgeActor
package final class SessionOwnership {
  /// This replica; nil while it has no lease.
  package private(set) var replica: Replica?
  /// The replicas whose leases run, as the last renewal has seen them.
  package private(set) var living: [Replica] = []
  /// How many sessions were taken over from replicas that have ended.
  package private(set) var takeOverCount = 0
  /// How long it has taken to take them over.
  package private(set) var takeOverDurations = Histogram()
  /// How often the lease was lost.
  package private(set) var lossCount = 0
  /// Called when these sessions may belong to others from now on. They must not be served any more.
  package var onLoss: ([String]) -> Void = { _ in }
  /// Called when a lease has begun.
  package var onEntered: () -> Void = {}
  /// Called with replicas that have ended.
  package var onEnded: ([Replica]) -> Void = { _ in }
  /// Called after each extension of the lease: other replicas may have changed what all share.
  package var onRenewed: () -> Void = {}
  /// The world of sessions that are not stored yet; nil if each has its own.
  package var usualWorld: String?
  /// The keys that are still in use.
  package var neededKeys: () -> Set<String> = { [] }

  private let table: any ReplicaTable
  private let claims: GatheredClaims
  /// Where the other replicas reach this one.
  var address = ""
  private let length: Duration
  private let random: BridgeRandom
  private let logger: Logger
  private let now: () -> Int
  private var lease: ReplicaLease
  private var fences: [String: SessionFence] = [:]
  /// The other replicas that this one has heard of, and that have not ended.
  private var known: Set<Replica> = []
  /// The owned sessions that nobody needed when they were last looked at.
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
  }

  // MARK: What is owned

  /// Whether this replica has its lease now.
  package var hasLease: Bool { lease.isHeld(at: now()) }

  /// How well the replica knows that it has its lease.
  package var leaseState: ReplicaLease.State { lease.state(at: now()) }

  /// The time since the last renewal was sent; nil before the first.
  package var timeSinceRenewal: Duration? { lease.lastRenewal.map { .nanoseconds(now() - $0) } }

  /// For how long sessions may still be served without a renewal.
  package var timeLeft: Duration { .nanoseconds(max(0, (lease.deadline ?? 0) - now())) }

  /// How many sessions this replica owns.
  package var count: Int { fences.count }

  /// Whether a session can be served here now.
  package func owns(_ key: String) -> Bool { fences[key] != nil && hasLease }

  /// What proves to the store that a session is owned; nil if it is not.
  package func fence(of key: String) -> SessionFence? { fences[key] }

  /// The owned session with this id.
  package func ownedKey(ofID id: String) -> String? { keyByID[id] }
  private var keyByID: [String: String] = [:]

  /// Claims a session, unless it is owned already.
  ///
  /// - Parameter start: Since when somebody waits for the session, in nanoseconds; nil for now.
  /// - Throws: If the database cannot be reached.
  package func claim(_ key: String, since start: Int? = nil) async throws -> SessionClaim {
    try await claim([key], since: start).first ?? .leaseEnded
  }

  /// Claims those of these sessions that are not owned already.
  ///
  /// - Parameter start: Since when somebody waits for them, in nanoseconds; nil for now.
  /// - Returns: One result for each key, in order.
  /// - Throws: If the database cannot be reached.
  package func claim(_ keys: [String], since start: Int? = nil) async throws -> [SessionClaim] {
    let start = start ?? now()
    guard let replica, hasLease else { return keys.map { _ in .leaseEnded } }
    // A release that arrives after the claim would undo it.
    if let releasing, keys.contains(where: releasing.keys.contains) { await releasing.task.value }
    let wanted = keys.filter { fences[$0] == nil }
    var results: [String: SessionClaim] = [:]
    if !wanted.isEmpty {
      let claimed = try await claims.claim(wanted, usualWorld: usualWorld, for: replica)
      // The lease may have ended meanwhile, and another may have begun.
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

  /// The key of the session with this id that some replica owns; nil if none does.
  ///
  /// - Throws: If the database cannot be reached.
  package func key(ofID id: String) async throws -> String? {
    if let key = keyByID[id] { return key }
    return try await table.key(ofID: id)
  }

  /// The store has refused a write: the session belongs to another replica.
  package func lost(_ key: String) {
    guard fences[key] != nil else { return }
    disown(key)
    onLoss([key])
  }

  private func own(_ key: String, _ fence: SessionFence, since start: Int) {
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
  /// - Parameter address: Where the other replicas reach this one.
  package func begin(at address: String) {
    self.address = address
    keepTicking()
  }

  private func keepTicking() {
    guard ticking == nil, !hasStopped else { return }
    ticking = Task { [weak self] in
      while !Task.isCancelled {
        guard let wait = self?.tick() else { return }
        try? await Task.sleep(for: wait)
      }
    }
  }

  /// Does what is due, and returns for how long nothing is.
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

  /// Extends the lease now, before it is due.
  func renewNow() {
    guard let replica else { return }
    lease.began(at: now())
    send(replica, isNew: false, at: now())
  }

  private func send(_ replica: Replica, isNew: Bool, at sent: Int) {
    // The answer tells nothing of replicas that enter while it is on its way.
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
    logger.info("This replica is \(replica.id.prefix(8)), and the others reach it at \(replica.address).")
    wake()
    onEntered()
  }

  private func renewed(_ replica: Replica, _ living: [Replica]?, _ known: Set<Replica>, sentAt sent: Int) {
    // An answer that comes too late is about a lease that was given up.
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
    onRenewed()
  }

  private func failed(_ replica: Replica, isNew: Bool, _ error: any Error) {
    guard isNew ? self.replica == nil : self.replica == replica, !hasStopped else { return }
    let wasHeld = leaseState != .uncertain
    lease.failed(at: now())
    if wasHeld { logger.warning("The lease of this replica could not be renewed: \(error). It is retried.") }
    wake()
  }

  /// The lease has ended. Other replicas may own what this one did.
  private func giveUpAll() {
    let keys = Array(fences.keys)
    logger.error(
      "This replica has lost its lease, and with it \(keys.count) sessions. It has not reached the database in time, or was stopped."
    )
    lossCount += 1
    let lost = replica
    forgetAll()
    onLoss(keys)
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

  /// Has the loop look again at once.
  private func wake() {
    guard ticking != nil, !hasStopped else { return }
    ticking?.cancel()
    ticking = nil
    keepTicking()
  }

  /// Releases sessions that nobody has needed between two looks.
  private func releaseUnneeded() {
    guard let replica, releasing == nil, now() - lastSweep >= Self.sweepInterval else { return }
    lastSweep = now()
    let needed = neededKeys()
    let still = fences.keys.filter { !needed.contains($0) }
    let keys = still.filter { unneeded.contains($0) }
    unneeded = Set(still)
    guard !keys.isEmpty else { return }
    for key in keys { disown(key) }
    releasing = (
      Set(keys),
      Task { [weak self, table] in
        try? await table.release(keys, of: replica)
        self?.releasing = nil
      }
    )
  }

  /// The time between two looks at what is needed, in nanoseconds: a browser that has just got its document soon opens its page.
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

  /// Gives everything up, so that other replicas can take over at once. Call it when everything is stored.
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
        "The sessions of this replica could not be handed over: \(error). Others take them over in \(length).")
    }
  }
}
