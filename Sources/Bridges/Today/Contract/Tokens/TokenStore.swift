public import BridgeRuntime

/// The session's access token. Every page and every kind of call gets its token here.
///
/// Concurrent requests for a new token share one refresh (Today contract, "refreshToken coalescing"). When it ends, the
/// waiting callers are called at once, in the order of their requests.
@BridgeActor
public final class TokenStore {
  /// Gets the outcome of a refresh.
  public typealias Joiner = @BridgeActor (Result<AccessToken, TokenError>) -> Void

  /// How many refreshes were started.
  public private(set) var refreshCount = 0

  /// The error of the next refresh, which is then not sent to the source; nil for a normal refresh.
  public var nextFailure: TokenError?
  /// Whether the session was revoked. Every refresh then fails until someone signs in again.
  public private(set) var isRevoked = false

  /// Called with each new token, before any caller gets it.
  public var onToken: ((AccessToken) -> Void)?

  private let source: any TokenSource
  private let clock: any BridgeClock
  private var machine: TokenFlightStateMachine<Joiner>

  /// Creates a store without a token.
  ///
  /// - Parameters:
  ///   - source: Issues tokens.
  ///   - clock: Decides when a token has expired.
  ///   - isSignedIn: Whether someone is signed in.
  public init(source: any TokenSource, clock: any BridgeClock = SystemBridgeClock(), isSignedIn: Bool = true) {
    self.source = source
    self.clock = clock
    machine = TokenFlightStateMachine(isSignedIn: isSignedIn)
  }

  /// Whether someone is signed in.
  public var isSignedIn: Bool { machine.isSignedIn }

  /// The current token, if it is not expired.
  public var token: AccessToken? { machine.token(at: clock.now) }

  /// The token at hand, expired or not.
  public var heldToken: AccessToken? { machine.heldToken }

  /// Makes the current token count as expired. It stays at hand.
  public func expire() {
    machine.hold(machine.heldToken?.expired(at: clock.now))
  }

  /// Revokes the session: removes the token, and refuses every refresh until someone signs in again.
  public func revoke() {
    machine.hold(nil)
    isRevoked = true
  }

  /// Gets a token in the background if there is none at hand: at once from a source that needs no time, else by a refresh, which later
  /// callers join.
  public func prefetch() {
    guard isSignedIn, machine.heldToken == nil else { return }
    if !isRevoked, nextFailure == nil, let token = source.token()?.received(at: clock.now) {
      machine.hold(token)
      onToken?(token)
    } else {
      refreshCoalesced { _ in }
    }
  }

  /// Gets a new token, shared with all callers that ask for one until it arrives.
  public func refreshCoalesced(_ joiner: @escaping Joiner) {
    follow(machine.refresh(joiner), joiner)
  }

  /// Gets the current token at once or, if there is none or it has expired, a new one as with ``refreshCoalesced(_:)``.
  /// The contract does not say whether an expired token is renewed here; this is our choice.
  public func current(_ joiner: @escaping Joiner) {
    switch machine.current(at: clock.now, joiner) {
    case .use(let token): joiner(.success(token))
    case .join(let action): follow(action, joiner)
    }
  }

  /// Gets a new token, shared with all callers that ask for one until it arrives.
  ///
  /// - Throws: ``TokenError`` if there is no token.
  public func refreshCoalesced() async throws(TokenError) -> AccessToken {
    try await outcome { refreshCoalesced($0) }
  }

  /// The current token or, if there is none or it has expired, a new one.
  ///
  /// - Throws: ``TokenError`` if there is no token.
  public func current() async throws(TokenError) -> AccessToken {
    try await outcome { current($0) }
  }

  /// Signs in. A revoked session becomes valid again.
  public func signIn() {
    isRevoked = false
    machine.signIn()
  }

  /// Signs out: removes the token, and ends a pending refresh with ``TokenError/signedOut``. Its late outcome is
  /// discarded.
  public func signOut() {
    for joiner in machine.signOut() { joiner(.failure(.signedOut)) }
  }

  private func follow(_ action: TokenFlightStateMachine<Joiner>.JoinAction, _ joiner: Joiner) {
    switch action {
    case .start(let generation): start(generation)
    case .wait: break
    case .refuse: joiner(.failure(.signedOut))
    }
  }

  private func start(_ generation: Int) {
    refreshCount += 1
    let failure = isRevoked ? .refused(.invalidGrant) : nextFailure
    nextFailure = nil
    // The task belongs to no caller, so a caller that goes away does not cancel it.
    Task { [source] in
      let outcome: Result<AccessToken, TokenError>
      do throws(TokenError) {
        if let failure { throw failure }
        let token = try await source.refresh()
        // Whoever has asked by now shares this refresh, also on a busy machine.
        await RoundTrips.settle()
        // The session may have been revoked meanwhile.
        if isRevoked { throw .refused(.invalidGrant) }
        outcome = .success(token.received(at: clock.now))
      } catch {
        outcome = .failure(error)
      }
      if let token = try? outcome.get() { onToken?(token) }
      guard case .tell(let joiners) = machine.finish(generation: generation, token: try? outcome.get()) else { return }
      for joiner in joiners { joiner(outcome) }
    }
  }

  private func outcome(of body: (@escaping Joiner) -> Void) async throws(TokenError) -> AccessToken {
    try await withCheckedContinuation { continuation in
      body { continuation.resume(returning: $0) }
    }.get()
  }
}
