public import BridgeRuntime

/// The session's token, and the one path to a new one: for every page, every kind of call, and the host's own requests.
///
/// Joiners are called where the flight ends, one after another in the order in which they joined, so that nothing can come between the
/// outcome and what they do with it.
@BridgeActor
public final class TokenStore {
  /// What is told the outcome of a flight.
  public typealias Joiner = @BridgeActor (Result<AccessToken, TokenError>) -> Void

  /// How many refreshes were really started.
  public private(set) var refreshCount = 0

  /// What the next refresh fails with, whatever the source would say; nil lets it be asked.
  public var nextFailure: TokenError?
  /// Whether the session was revoked: every refresh fails until someone signs in again.
  public private(set) var isRevoked = false

  /// Called with each token that has come, before anyone gets it.
  public var onToken: ((AccessToken) -> Void)?

  private let source: any TokenSource
  private let clock: any BridgeClock
  private var machine: TokenFlightStateMachine<Joiner>

  /// Creates a store without a token.
  public init(source: any TokenSource, clock: any BridgeClock = SystemBridgeClock(), isSignedIn: Bool = true) {
    self.source = source
    self.clock = clock
    machine = TokenFlightStateMachine(isSignedIn: isSignedIn)
  }

  /// Whether there is a live session.
  public var isSignedIn: Bool { machine.isSignedIn }

  /// The token at hand, if it can still be used.
  public var token: AccessToken? { machine.token(at: clock.now) }

  /// The token at hand counts as expired.
  public func expire() {
    machine.forgetToken()
  }

  /// The session is revoked: its token goes, and the source refuses to give another until someone signs in again.
  public func revoke() {
    machine.forgetToken()
    isRevoked = true
  }

  /// Gets a new token, together with all who want one before it has come.
  public func refreshCoalesced(_ joiner: @escaping Joiner) {
    follow(machine.refresh(joiner), joiner)
  }

  /// The token at hand, at once; when there is none or it has expired, a new one as by ``refreshCoalesced(_:)``. Whether the iOS host
  /// renews an expired token here its reference does not say; that it does is our choice.
  public func current(_ joiner: @escaping Joiner) {
    switch machine.current(at: clock.now, joiner) {
    case .use(let token): joiner(.success(token))
    case .join(let action): follow(action, joiner)
    }
  }

  /// Gets a new token, together with all who want one before it has come.
  public func refreshCoalesced() async throws(TokenError) -> AccessToken {
    try await outcome { refreshCoalesced($0) }
  }

  /// The token at hand, or a new one.
  public func current() async throws(TokenError) -> AccessToken {
    try await outcome { current($0) }
  }

  /// A person signs in: from now on there are tokens.
  public func signIn() {
    isRevoked = false
    machine.signIn()
  }

  /// The person signs out: the token is forgotten, a flight under way ends with ``TokenError/signedOut``, its late outcome is discarded.
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
    // Nobody holds on to the task: a caller that goes away takes nothing with it.
    Task { [source] in
      let outcome: Result<AccessToken, TokenError>
      do throws(TokenError) {
        if let failure { throw failure }
        outcome = .success(try await source.refresh().received(at: clock.now))
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
