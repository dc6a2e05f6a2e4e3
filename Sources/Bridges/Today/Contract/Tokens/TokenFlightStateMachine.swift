import BridgeRuntime

/// Holds the token and the joiners that wait for a new one. All of them share one refresh (Today contract, "refreshToken
/// coalescing"). A pure state machine. A joiner receives the outcome of the refresh.
struct TokenFlightStateMachine<Joiner> {
  private enum State {
    case signedOut
    /// Signed in, with the token of the last successful refresh.
    case idle(AccessToken?)
    /// A refresh is pending. The previous token stays usable, and becomes the current one again when the refresh fails.
    case refreshing(generation: Int, joiners: [Joiner], previous: AccessToken?)
  }

  enum JoinAction {
    /// Start a refresh. The joiner is the first to wait for it.
    case start(generation: Int)
    /// The joiner waits for the pending refresh.
    case wait
    /// Give the joiner ``TokenError/signedOut``.
    case refuse
  }

  enum CurrentAction {
    /// Give the joiner this token.
    case use(AccessToken)
    /// There is no usable token.
    case join(JoinAction)
  }

  enum FinishAction {
    /// Give these joiners the outcome, in this order.
    case tell([Joiner])
    /// The refresh was ended before. Discard the outcome.
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

  /// The token at hand, expired or not.
  var heldToken: AccessToken? {
    switch state {
    case .signedOut: nil
    case .idle(let token), .refreshing(_, _, let token): token
    }
  }

  /// The current token, if it is not expired.
  func token(at now: BridgeInstant) -> AccessToken? {
    heldToken.flatMap { $0.isFresh(at: now) ? $0 : nil }
  }

  /// A joiner asks for a new token.
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

  /// A joiner asks for a usable token: the current one or else a new one.
  mutating func current(at now: BridgeInstant, _ joiner: Joiner) -> CurrentAction {
    if let token = token(at: now) { return .use(token) }
    return .join(refresh(joiner))
  }

  /// A refresh has ended with a token, or with nil if it failed.
  mutating func finish(generation: Int, token: AccessToken?) -> FinishAction {
    guard case .refreshing(generation, let joiners, let previous) = state else { return .discard }
    state = .idle(token ?? previous)
    return .tell(joiners)
  }

  /// Replaces the token at hand, also during a refresh; nil removes it.
  mutating func hold(_ token: AccessToken?) {
    switch state {
    case .signedOut: break
    case .idle: state = .idle(token)
    case .refreshing(let generation, let joiners, _):
      state = .refreshing(generation: generation, joiners: joiners, previous: token)
    }
  }

  /// Signs in. Someone who is signed in already keeps the token.
  mutating func signIn() {
    if case .signedOut = state { state = .idle(nil) }
  }

  /// Signs out.
  ///
  /// - Returns: The waiting joiners. The caller gives them ``TokenError/signedOut``.
  mutating func signOut() -> [Joiner] {
    defer { state = .signedOut }
    if case .refreshing(_, let joiners, _) = state { return joiners }
    return []
  }
}
