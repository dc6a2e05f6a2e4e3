import BridgeRuntime
import Testing

@testable import Today

@Suite struct TokenFlightStateMachineTests {
  private typealias Machine = TokenFlightStateMachine<Int>
  private let now = ManualBridgeClock().now

  private func token(_ text: String, lifetime: Duration? = nil) throws -> AccessToken {
    try AccessToken(text, lifetime: lifetime, issuedAt: now)
  }

  private func generation(_ action: Machine.JoinAction) throws -> Int {
    guard case .start(let generation) = action else {
      Issue.record("A refresh should have started.")
      throw TokenError.signedOut
    }
    return generation
  }

  private func text(_ action: Machine.JoinAction) -> String {
    switch action {
    case .start: "start"
    case .wait: "wait"
    case .refuse: "refuse"
    }
  }

  private func text(_ action: Machine.CurrentAction) -> String {
    switch action {
    case .use(let token): "use \(token.rawValue.reveal())"
    case .join(let action): text(action)
    }
  }

  private func joiners(_ action: Machine.FinishAction) -> [Int]? {
    if case .tell(let joiners) = action { joiners } else { nil }
  }

  @Test func `the first refresh starts a flight, others join it, and all finish in order`() throws {
    var machine = Machine(isSignedIn: true)
    let flight = try generation(machine.refresh(1))
    for joiner in 2...5 {
      #expect(text(machine.refresh(joiner)) == "wait")
    }
    #expect(joiners(machine.finish(generation: flight, token: try token("a"))) == [1, 2, 3, 4, 5])
    #expect(machine.token(at: now) == (try token("a")))
  }

  @Test func `current without a token starts or joins a flight`() throws {
    var machine = Machine(isSignedIn: true)
    #expect(text(machine.current(at: now, 1)) == "start")
    #expect(text(machine.current(at: now, 2)) == "wait")
  }

  @Test func `current uses a fresh token, also during a flight`() throws {
    var machine = Machine(isSignedIn: true)
    _ = machine.finish(generation: try generation(machine.refresh(1)), token: try token("a", lifetime: .seconds(600)))
    #expect(text(machine.current(at: now, 2)) == "use a")
    _ = machine.refresh(3)
    #expect(text(machine.current(at: now, 4)) == "use a")
    #expect(text(machine.current(at: now.advanced(by: .seconds(540)), 5)) == "wait")
  }

  @Test func `a failed flight leaves the token unchanged`() throws {
    var machine = Machine(isSignedIn: true)
    #expect(joiners(machine.finish(generation: try generation(machine.refresh(1)), token: nil)) == [1])
    #expect(machine.token(at: now) == nil && machine.isSignedIn)
    _ = machine.finish(generation: try generation(machine.refresh(2)), token: try token("a"))
    #expect(joiners(machine.finish(generation: try generation(machine.refresh(3)), token: nil)) == [3])
    #expect(machine.token(at: now) == (try token("a")))
  }

  @Test func `a flight finishes once`() throws {
    var machine = Machine(isSignedIn: true)
    let flight = try generation(machine.refresh(1))
    #expect(joiners(machine.finish(generation: flight, token: nil)) == [1])
    #expect(joiners(machine.finish(generation: flight, token: try token("a"))) == nil)
    #expect(machine.token(at: now) == nil)
  }

  @Test func `signing out ends the flight and discards its late outcome`() throws {
    var machine = Machine(isSignedIn: true)
    let old = try generation(machine.refresh(1))
    _ = machine.refresh(2)
    #expect(machine.signOut() == [1, 2])
    #expect(joiners(machine.finish(generation: old, token: try token("late"))) == nil)
    #expect(!machine.isSignedIn && machine.token(at: now) == nil)
    machine.signIn()
    let new = try generation(machine.refresh(3))
    #expect(new != old)
    #expect(joiners(machine.finish(generation: old, token: try token("late"))) == nil)
    #expect(joiners(machine.finish(generation: new, token: try token("b"))) == [3])
    #expect(machine.token(at: now) == (try token("b")))
  }

  @Test func `while signed out requests are refused, and signing in has no former token`() throws {
    var machine = Machine(isSignedIn: true)
    _ = machine.finish(generation: try generation(machine.refresh(1)), token: try token("a"))
    #expect(machine.signOut().isEmpty)
    #expect(text(machine.refresh(2)) == "refuse")
    #expect(text(machine.current(at: now, 3)) == "refuse")
    machine.signIn()
    #expect(machine.token(at: now) == nil)
  }

  @Test func `signing in twice changes nothing`() throws {
    var machine = Machine(isSignedIn: true)
    let flight = try generation(machine.refresh(1))
    machine.signIn()
    #expect(joiners(machine.finish(generation: flight, token: try token("a"))) == [1])
    machine.signIn()
    #expect(machine.token(at: now) != nil)
  }

  @Test(arguments: [(600.0, 540.0), (60, 54), (10, 9), (100_000, 99_940), (0, 0)])
  func `a token is stale a minute, or a tenth of its lifetime, before it expires`(_ lifetime: Double, _ stale: Double)
    throws
  {
    let token = try token("a", lifetime: .seconds(lifetime))
    #expect(token.isFresh(at: now.advanced(by: .seconds(stale - 0.001))))
    #expect(!token.isFresh(at: now.advanced(by: .seconds(stale))))
  }
}
