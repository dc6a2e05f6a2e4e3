/// Decides when this replica renews its lease, and how long it may serve sessions. A pure state machine.
///
/// This replica ends its lease earlier than the database does: it counts from the time before it sent the renewal, and stops a tenth of the
/// length earlier, so that calls can finish. So it has stopped before another replica can take over, if the clocks run at about the same
/// speed. Times are those of ``MonotonicTime/nanosecondsWithSleep``, which also advance while the process or the machine is stopped.
package struct ReplicaLease: Sendable, Hashable {
  /// The next thing that the replica must do.
  package enum Action: Sendable, Hashable {
    /// Register in the table of replicas, under a new id.
    case enter
    /// Extend the lease.
    case renew
    /// Wait until this time.
    case wait(until: Int)
    /// Stop serving all sessions, since other replicas may own them.
    case giveUp
  }

  /// The state of the lease, as this replica knows it.
  package enum State: Sendable, Hashable {
    /// The replica has no lease and owns no session.
    case none
    /// The last renewal has succeeded.
    case held
    /// The lease still runs, but the last renewal has failed.
    case uncertain
  }

  /// The length of the lease in the database, in nanoseconds.
  private let length: Int
  private var hasLease = false
  private var hasFailed = false
  private var end = 0
  private var next = 0
  /// The time when the last successful renewal was sent; nil before the first one.
  package private(set) var lastRenewal: Int?

  package init(length: Duration) {
    self.length = Int(length / .nanoseconds(1))
  }

  /// Whether sessions may be served.
  package func isHeld(at now: Int) -> Bool { hasLease && now < end }

  /// The time when this replica ends the lease; nil without a lease.
  package var deadline: Int? { hasLease ? end : nil }

  /// Returns the state at a time.
  package func state(at now: Int) -> State {
    guard isHeld(at: now) else { return .none }
    return hasFailed ? .uncertain : .held
  }

  /// Returns what to do now. ``Action/giveUp`` is returned once for each lost lease.
  package mutating func action(at now: Int) -> Action {
    if hasLease, now >= end {
      lost(at: now)
      return .giveUp
    }
    if now < next { return .wait(until: next) }
    return hasLease ? .renew : .enter
  }

  /// Notes that a request to register or to renew is sent. Without an answer, it is sent again after a third of the lease.
  package mutating func began(at now: Int) {
    next = now + length / 3
  }

  /// Notes that a request to register or to renew has succeeded. If the answer comes too late, the lease has already ended and stays ended.
  ///
  /// - Parameter sent: The time when the request was sent.
  package mutating func succeeded(sentAt sent: Int, at now: Int) {
    let newEnd = sent + length - length / 10
    guard now < newEnd else { return failed(at: now) }
    hasLease = true
    hasFailed = false
    end = newEnd
    next = sent + length / 3
    lastRenewal = sent
  }

  /// Notes that the database could not be reached. The request is repeated soon.
  package mutating func failed(at now: Int) {
    hasFailed = true
    next = now + length / 20
  }

  /// Notes that the lease has ended according to the database.
  package mutating func refused(at now: Int) {
    end = min(end, now)
    next = now
  }

  private mutating func lost(at now: Int) {
    hasLease = false
    hasFailed = false
    next = now
  }
}
