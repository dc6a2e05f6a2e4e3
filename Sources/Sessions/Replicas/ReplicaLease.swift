/// The lease of this replica, without its database: when to renew it, and until when sessions may be served.
///
/// The lease is the database's. Here it ends earlier: it is counted from before its renewal was sent, and without a tenth for what is under
/// way when it ends. So this replica has stopped before another one can take over, as long as clocks run at about the same speed. Times
/// are those of ``MonotonicTime/nanosecondsWithSleep``, which go on while the process is stopped.
package struct ReplicaLease: Sendable, Hashable {
  /// What the replica must do next.
  package enum Action: Sendable, Hashable {
    /// Enter the table under a new id.
    case enter
    /// Extend the lease.
    case renew
    /// Nothing until this time.
    case wait(until: Int)
    /// Stop serving all sessions: others may own them.
    case giveUp
  }

  /// How well the replica knows that it has its lease.
  package enum State: Sendable, Hashable {
    /// It has none, and owns nothing.
    case none
    /// The last renewal has succeeded.
    case held
    /// The lease still runs, but the last renewal has failed.
    case uncertain
  }

  /// The lease as the database has it, in nanoseconds.
  private let length: Int
  private var hasLease = false
  private var hasFailed = false
  private var end = 0
  private var next = 0
  /// When the last renewal that has succeeded was sent; nil before the first.
  package private(set) var lastRenewal: Int?

  package init(length: Duration) {
    self.length = Int(length / .nanoseconds(1))
  }

  /// Whether sessions may be served.
  package func isHeld(at now: Int) -> Bool { hasLease && now < end }

  /// When the lease ends, as this replica counts it.
  package var deadline: Int? { hasLease ? end : nil }

  /// The state at a time.
  package func state(at now: Int) -> State {
    guard isHeld(at: now) else { return .none }
    return hasFailed ? .uncertain : .held
  }

  /// What to do now. ``Action/giveUp`` comes once for each lost lease.
  package mutating func action(at now: Int) -> Action {
    if hasLease, now >= end {
      lost(at: now)
      return .giveUp
    }
    if now < next { return .wait(until: next) }
    return hasLease ? .renew : .enter
  }

  /// A request to enter or to renew is sent. If it gets no answer, another one is sent after this time.
  package mutating func began(at now: Int) {
    next = now + length / 3
  }

  /// The replica was entered, or its lease extended, by a request that was sent at this time. An answer that comes too late extends
  /// nothing that has ended.
  package mutating func succeeded(sentAt sent: Int, at now: Int) {
    let newEnd = sent + length - length / 10
    guard now < newEnd else { return failed(at: now) }
    hasLease = true
    hasFailed = false
    end = newEnd
    next = sent + length / 3
    lastRenewal = sent
  }

  /// The database has not answered. It is asked again soon.
  package mutating func failed(at now: Int) {
    hasFailed = true
    next = now + length / 20
  }

  /// The database says that the lease has ended.
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
