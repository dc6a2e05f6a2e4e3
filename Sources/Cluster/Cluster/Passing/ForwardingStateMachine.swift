import Sessions

/// Decides about a request for a session that another replica may own: serve it here, pass it on, or wait for a take-over. Times are in
/// nanoseconds.
///
/// A request is passed on once only. The next replica serves it, or hands it back. So a request never goes round in a circle, even if two
/// replicas disagree about the owner.
struct ForwardingStateMachine: Sendable {
  /// The next step of the caller.
  enum Action: Sendable, Hashable {
    /// Serve the request here.
    case serve
    /// Claim the session in the table.
    case claim
    /// Pass the request on.
    case forward(to: Replica)
    /// Wait, then call ``waited()``.
    case wait(Duration)
    /// Tell the replica that has passed the request on that the session is not here.
    case handBack
    /// Tell the client to try again.
    case refuse(Refusal)
    /// Nothing: the request has its answer.
    case finish
  }

  /// The reasons to refuse a request.
  enum Refusal: Sendable, Hashable {
    /// The database cannot be reached, or this replica has no lease.
    case noLease
    /// The owner cannot be reached, and its lease still runs.
    case ownerUnreachable
    /// The connection to the owner broke, and it is unknown whether the request had an effect.
    case interrupted
  }

  /// The result of a claim.
  enum Claimed: Sendable, Hashable {
    case mine
    case others(Replica)
    /// The database cannot be reached, or this replica has no lease.
    case failed
  }

  /// The result of passing a request on.
  enum Attempt: Sendable, Hashable {
    /// The client has the owner's answer, or the beginning of it.
    case answered
    /// The other replica does not own the session.
    case handedBack
    /// Nothing of the request has reached the owner, or it may be repeated.
    case failed
    /// The request may have had an effect.
    case interrupted
  }

  private enum State {
    case undecided
    case claiming
    case forwarding
    case waiting
    case over
  }

  /// The pause before the table is asked again.
  static let pause = Duration.milliseconds(250)

  private let isForwarded: Bool
  private let deadline: Int
  private var state = State.undecided
  private var hasBeenHandedBack = false
  private var reason = Refusal.noLease

  /// - Parameters:
  ///   - isForwarded: Whether another replica has passed the request on.
  ///   - deadline: The end of all waiting. Even a lease that has just been extended ends before it.
  init(isForwarded: Bool, deadline: Int) {
    self.isForwarded = isForwarded
    self.deadline = deadline
  }

  /// The request has come.
  ///
  /// - Parameters:
  ///   - isOwned: Whether this replica owns the session, and its lease runs.
  ///   - owner: The other replica that owned it a moment ago; nil if none is known.
  mutating func begin(isOwned: Bool, owner: Replica?) -> Action {
    guard case .undecided = state else { preconditionFailure("a request comes once") }
    if isOwned { return end(.serve) }
    if !isForwarded, let owner { return forward(to: owner) }
    return claim()
  }

  /// The table has answered, or has not.
  mutating func claimed(_ result: Claimed, at now: Int) -> Action {
    guard case .claiming = state else { preconditionFailure("no claim was made") }
    switch result {
    case .mine: return end(.serve)
    case _ where isForwarded: return end(.handBack)
    case .others(let owner): return forward(to: owner)
    case .failed: return wait(at: now, or: .noLease)
    }
  }

  /// The request was passed on.
  mutating func attempted(_ result: Attempt, at now: Int) -> Action {
    guard case .forwarding = state else { preconditionFailure("nothing was passed on") }
    switch result {
    case .answered: return end(.finish)
    case .interrupted: return end(.refuse(.interrupted))
    case .failed: return wait(at: now, or: .ownerUnreachable)
    case .handedBack:
      // The first time, the remembered owner may be out of date.
      if hasBeenHandedBack { return wait(at: now, or: .ownerUnreachable) }
      hasBeenHandedBack = true
      return claim()
    }
  }

  /// The wait is over.
  mutating func waited(at now: Int) -> Action {
    guard case .waiting = state else { preconditionFailure("nobody waits") }
    return now < deadline ? claim() : end(.refuse(reason))
  }

  private mutating func claim() -> Action {
    state = .claiming
    return .claim
  }

  private mutating func forward(to owner: Replica) -> Action {
    state = .forwarding
    return .forward(to: owner)
  }

  private mutating func wait(at now: Int, or refusal: Refusal) -> Action {
    guard now < deadline else { return end(.refuse(refusal)) }
    reason = refusal
    state = .waiting
    return .wait(Self.pause)
  }

  private mutating func end(_ action: Action) -> Action {
    state = .over
    return action
  }
}
