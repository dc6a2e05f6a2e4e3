import BridgeRuntime
import Testing
import Today

@Suite @BridgeActor struct TokenStoreTests {
  private let clock = ManualBridgeClock()
  private let source = GatedTokenSource()
  private let store: TokenStore
  private let outcomes = Outcomes()

  init() {
    store = TokenStore(source: source, clock: clock)
  }

  /// What joiners were told, in the order in which they were told; tokens as their text.
  @BridgeActor private final class Outcomes {
    private(set) var all: [Result<String, TokenError>] = []
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func take(_ outcome: Result<AccessToken, TokenError>) {
      all.append(outcome.map { $0.rawValue.reveal() })
      if let waiter, all.count >= waiter.count {
        self.waiter = nil
        waiter.continuation.resume()
      }
    }

    func reached(_ count: Int) async {
      if all.count < count { await withCheckedContinuation { waiter = (count, $0) } }
    }
  }

  private func refresh(_ count: Int = 1) {
    for _ in 0..<count { store.refreshCoalesced { [outcomes] in outcomes.take($0) } }
  }

  private func current() {
    store.current { [outcomes] in outcomes.take($0) }
  }

  @Test func `500 concurrent calls share one refresh and one token`() async throws {
    refresh(250)
    current()
    refresh(249)
    await source.started(1)
    #expect(outcomes.all.isEmpty)
    try source.finish(token: "one")
    await outcomes.reached(500)
    #expect(outcomes.all == Array(repeating: .success("one"), count: 500))
    #expect(source.started == 1 && store.refreshCount == 1)
  }

  @Test func `a call during a refresh joins it`() async throws {
    refresh()
    await source.started(1)
    refresh()
    try source.finish(token: "one")
    await outcomes.reached(2)
    #expect(source.started == 1)
  }

  @Test func `a failed refresh fails all its callers, and the next call refreshes again`() async throws {
    refresh(100)
    await source.started(1)
    source.finish(.failure(.refused(.invalidGrant)))
    await outcomes.reached(100)
    #expect(outcomes.all == Array(repeating: .failure(.refused(.invalidGrant)), count: 100))
    refresh()
    await source.started(2)
    try source.finish(token: "two")
    await outcomes.reached(101)
    #expect(outcomes.all.last == .success("two"))
  }

  @Test func `consecutive calls refresh each`() async throws {
    for number in 1...3 {
      refresh()
      await source.started(number)
      try source.finish(token: "token\(number)")
      await outcomes.reached(number)
    }
    #expect(outcomes.all == [.success("token1"), .success("token2"), .success("token3")])
  }

  @Test func `the current token needs no refresh until it has expired`() async throws {
    refresh()
    await source.started(1)
    try source.finish(token: "one", lifetime: .seconds(600), at: clock.now)
    await outcomes.reached(1)
    current()
    #expect(outcomes.all.count == 2)
    clock.advance(by: .seconds(540))
    current()
    await source.started(2)
    #expect(outcomes.all.count == 2)
    try source.finish(token: "two")
    await outcomes.reached(3)
    #expect(outcomes.all == [.success("one"), .success("one"), .success("two")])
  }

  @Test func `a failed refresh retains the token`() async throws {
    refresh()
    await source.started(1)
    try source.finish(token: "one")
    await outcomes.reached(1)
    refresh()
    await source.started(2)
    source.finish(.failure(.unreachable))
    await outcomes.reached(2)
    current()
    #expect(outcomes.all == [.success("one"), .failure(.unreachable), .success("one")])
  }

  @Test func `a token that arrives after the session was revoked is refused`() async throws {
    refresh()
    await source.started(1)
    store.revoke()
    try source.finish(token: "late")
    await outcomes.reached(1)
    #expect(outcomes.all == [.failure(.refused(.invalidGrant))])
    #expect(store.heldToken == nil)
  }

  @Test func `signing out ends the refresh at once and discards its late outcome`() async throws {
    refresh(3)
    await source.started(1)
    store.signOut()
    #expect(outcomes.all == Array(repeating: .failure(.signedOut), count: 3))
    store.signIn()
    refresh()
    await source.started(2)
    try source.finish(token: "late")
    try source.finish(token: "new")
    await outcomes.reached(4)
    #expect(outcomes.all.last == .success("new"))
    current()
    #expect(outcomes.all.last == .success("new"))
  }

  @Test func `a call while signed out is refused at once`() {
    store.signOut()
    refresh()
    current()
    #expect(outcomes.all == [.failure(.signedOut), .failure(.signedOut)])
    #expect(source.started == 0 && !store.isSignedIn)
  }

  @Test func `a completion may start the next refresh`() async throws {
    store.refreshCoalesced { [self] outcome in
      outcomes.take(outcome)
      refresh()
    }
    await source.started(1)
    try source.finish(token: "one")
    await source.started(2)
    try source.finish(token: "two")
    await outcomes.reached(2)
    #expect(outcomes.all == [.success("one"), .success("two")])
  }

  @Test func `a cancelled caller does not cancel the refresh for others`() async throws {
    let leaving = Task { [store] in try await store.refreshCoalesced() }
    await source.started(1)
    refresh()
    leaving.cancel()
    try source.finish(token: "one")
    await outcomes.reached(1)
    #expect(outcomes.all == [.success("one")])
    #expect(try await leaving.value.rawValue.reveal() == "one")
    #expect(try await store.current().rawValue.reveal() == "one")
  }
}
