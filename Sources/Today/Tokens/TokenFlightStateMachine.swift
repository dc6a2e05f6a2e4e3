import BridgeRuntime

/// Who has which token, and who waits for one: one flight for all (Today contract, "refreshToken coalescing"). A pure state machine; a
/// joiner is whatever is told the outcome.
struct TokenFlightStateMachine<Joiner> {
  private enum State {
    case signedOut
    /// Signed in, with the token of the last flight that succeeded.
    case idle(AccessToken?)
    /// A refresh is under way. The token from before it stays usable, and comes back when the flight fails.
    case refreshing(generation: Int, joiners: [Joiner], previous: AccessToken?)
  }

  enum JoinAction {
    /// Start a refresh; the joiner is its first.
    case start(generation: Int)
    /// The joiner waits for the refresh that is under way.
    case wait
    /// Tell the joiner that nobody is signed in.
    case refuse
  }

  enum CurrentAction {
    /// Give the joiner this token.
    case use(AccessToken)
    /// There is none that can be used.
    case join(JoinAction)
  }

  enum FinishAction {
    /// Tell these, in this order, how the refresh went.
    case tell([Joiner])
    /// The flight was ended before: forget the outcome.
    case discard
  }

  private var state: State
  private var generation = 0

  init(isSignedIn: Bool) {
    state = isSignedIn ? .idle(nil) : .signedOut
  }

  var isSignedIn: Bool {
    if case .signedOut = state { false } else { true }
  }

  /// The token at hand, if it can still be used.
  func token(at now: BridgeInstant) -> AccessToken? {
    switch state {
    case .signedOut: nil
    case .idle(let token), .refreshing(_, _, let token): token.flatMap { $0.isFresh(at: now) ? $0 : nil }
    }
  }

  /// Someone wants a new token.
  mutating func refresh(_ joiner: Joiner) -> JoinAction {
    switch state {
    case .signedOut: return .refuse
    case .idle(let token):
      generation += 1
      state = .refreshing(generation: generation, joiners: [joiner], previous: token)
      return .start(generation: generation)
    case .refreshing(let generation, var joiners, let previous):
      joiners.append(joiner)
      state = .refreshing(generation: generation, joiners: joiners, previous: previous)
      return .wait
    }
  }

  /// Someone wants a token that can be used, the one at hand or else a new one.
  mutating func current(at now: BridgeInstant, _ joiner: Joiner) -> CurrentAction {
    if let token = token(at: now) { return .use(token) }
    return .join(refresh(joiner))
  }

  /// A refresh has come to its end, with a token or, on failure, with nil.
  mutating func finish(generation: Int, token: AccessToken?) -> FinishAction {
    guard case .refreshing(generation, let joiners, let previous) = state else { return .discard }
    state = .idle(token ?? previous)
    return .tell(joiners)
  }

  /// The token at hand is forgotten, that from before a refresh included.
  mutating func forgetToken() {
    switch state {
    case .signedOut: break
    case .idle: state = .idle(nil)
    case .refreshing(let generation, let joiners, _):
      state = .refreshing(generation: generation, joiners: joiners, previous: nil)
    }
  }

  /// Someone signs in. What is at hand of the same session stays.
  mutating func signIn() {
    if case .signedOut = state { state = .idle(nil) }
  }

  /// Someone signs out. Returns those who wait: they have to be told that they wait in vain.
  mutating func signOut() -> [Joiner] {
    defer { state = .signedOut }
    if case .refreshing(_, let joiners, _) = state { return joiners }
    return []
  }
}
