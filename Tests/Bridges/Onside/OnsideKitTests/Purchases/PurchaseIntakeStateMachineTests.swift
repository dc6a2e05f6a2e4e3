import InAppPurchases
import Testing

@testable import OnsideKit

struct PurchaseIntakeStateMachineTests {
  /// Purchases and restores are numbers, and the transactions of purchases letters.
  private typealias Machine = PurchaseIntakeStateMachine<Int, String>

  private func arrive(
    _ machine: inout Machine, _ purchase: Int, isSignedIn: Bool = false, isDelayed: Bool = false
  ) -> Machine.ArrivalAction {
    machine.arrive(purchase, isSignedIn: isSignedIn, isDelayed: isDelayed)
  }

  /// A machine in which these purchases have come one after another while nobody was signed in.
  private func machine(_ purchases: Int...) -> Machine {
    var machine = Machine()
    for purchase in purchases { _ = arrive(&machine, purchase) }
    return machine
  }

  private func text(_ action: Machine.Action) -> String {
    func then(_ next: Int?) -> String { next.map { ", then begin \($0)" } ?? "" }
    return switch action {
    case .enter(let purchase, let transaction, let next): "enter \(purchase)\(transaction)\(then(next))"
    case .restore(let restore, let next): "restore \(restore)\(then(next))"
    case .ask(let purchase, let transaction): "ask \(purchase)\(transaction)"
    case .reject(let purchases, let rejection, let next): "reject \(purchases) \(rejection)\(then(next))"
    case .ignore: "ignore"
    }
  }

  private func expect(
    _ action: Machine.Action, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(text(action) == expected, sourceLocation: sourceLocation)
  }

  // MARK: Arrival

  @Test func `purchases of a signed-in account enter the queue at once`() {
    var machine = Machine()
    for purchase in 1...3 { expectEqual(arrive(&machine, purchase, isSignedIn: true), .enter) }
  }

  @Test func `a delay or a missing login comes before the purchase, and later purchases wait`() {
    for (isSignedIn, isDelayed) in [(false, false), (false, true), (true, true)] {
      var machine = Machine()
      expectEqual(arrive(&machine, 1, isSignedIn: isSignedIn, isDelayed: isDelayed), .begin)
      expectEqual(arrive(&machine, 2), .wait)
      expectEqual(arrive(&machine, 3, isSignedIn: true), .wait)
    }
  }

  // MARK: Login

  @Test func `waiting purchases enter the queue one after another, in order`() {
    var machine = machine(1, 2, 3)
    expect(machine.loginEnded(.signedIn("a", asksPages: false)), "enter 1a, then begin 2")
    expectEqual(arrive(&machine, 4, isSignedIn: true), .wait)
    expect(machine.loginEnded(.signedIn("b", asksPages: false)), "enter 2b, then begin 3")
    expect(machine.loginEnded(.signedIn("c", asksPages: false)), "enter 3c, then begin 4")
    expect(machine.loginEnded(.signedIn("d", asksPages: false)), "enter 4d")
    expectEqual(arrive(&machine, 5, isSignedIn: true), .enter)
  }

  @Test func `a dismissed login rejects all waiting purchases, and no later one`() {
    var machine = machine(1, 2)
    _ = arrive(&machine, 3, isSignedIn: true)
    expect(machine.loginEnded(.dismissed), "reject [1, 2, 3] loginDiscarded")
    expectEqual(arrive(&machine, 4), .begin)
    expect(machine.loginEnded(.signedIn("d", asksPages: false)), "enter 4d")
  }

  @Test func `a purchase above the limit is rejected, and the next one continues`() {
    var machine = machine(1, 2)
    let error = InAppError(.limit, "9 orders")
    expect(machine.loginEnded(.refused(error)), "reject [1] refused(9 orders), then begin 2")
    expect(machine.loginEnded(.refused(error)), "reject [2] refused(9 orders)")
    expectEqual(arrive(&machine, 3, isSignedIn: true), .enter)
  }

  // MARK: Restores

  @Test func `a restore of a signed-in account starts at once, also while purchases wait`() {
    var machine = Machine()
    expectEqual(machine.arrive(restore: 1, isSignedIn: true), .enter)
    _ = arrive(&machine, 2)
    expect(machine.loginEnded(.signedIn("b", asksPages: true)), "ask 2b")
    expectEqual(machine.arrive(restore: 3, isSignedIn: true), .enter)
  }

  @Test func `restores and purchases that wait for a login continue in the order in which they were asked for`() {
    var machine = Machine()
    expectEqual(machine.arrive(restore: 1, isSignedIn: false), .begin)
    _ = arrive(&machine, 2)
    expectEqual(machine.arrive(restore: 3, isSignedIn: false), .wait)
    expect(machine.loginEnded(.restores), "restore 1, then begin 2")
    expect(machine.loginEnded(.signedIn("b", asksPages: true)), "ask 2b")
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "enter 2b, then begin 3")
    expect(machine.loginEnded(.restores), "restore 3")
  }

  // MARK: The question after the login

  @Test func `a page is asked about a purchase that needed a login, and later purchases wait`() {
    var machine = machine(1, 2)
    expect(machine.loginEnded(.signedIn("a", asksPages: true)), "ask 1a")
    expectEqual(arrive(&machine, 3, isSignedIn: true), .wait)
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "enter 1a, then begin 2")
    expect(machine.loginEnded(.signedIn("b", asksPages: true)), "ask 2b")
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "enter 2b, then begin 3")
    expect(machine.loginEnded(.signedIn("c", asksPages: true)), "enter 3c")
  }

  @Test func `a page is not asked about a purchase that was only delayed`() {
    var machine = Machine()
    _ = arrive(&machine, 1, isSignedIn: true, isDelayed: true)
    expect(machine.loginEnded(.signedIn("a", asksPages: true)), "enter 1a")
  }

  @Test func `a page's refusal rejects one purchase`() {
    for isSignedIn in [true, false] {
      var machine = machine(1, 2)
      _ = machine.loginEnded(.signedIn("a", asksPages: true))
      expect(
        machine.pageAnswered(continues: false, isSignedIn: isSignedIn), "reject [1] rejectedAfterLogin, then begin 2")
    }
  }

  @Test func `signing out while the page is asked rejects that purchase alone`() {
    var machine = machine(1, 2)
    _ = machine.loginEnded(.signedIn("a", asksPages: true))
    expect(machine.pageAnswered(continues: true, isSignedIn: false), "reject [1] loginDiscarded, then begin 2")
    expect(machine.loginEnded(.dismissed), "reject [2] loginDiscarded")
  }

  // MARK: What comes at the wrong time

  @Test func `a login or answer that no purchase waits for changes nothing`() {
    var machine = Machine()
    expect(machine.loginEnded(.dismissed), "ignore")
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "ignore")
    _ = arrive(&machine, 1)
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "ignore")
    expect(machine.loginEnded(.signedIn("a", asksPages: true)), "ask 1a")
    expect(machine.loginEnded(.dismissed), "ignore")
    expect(machine.pageAnswered(continues: true, isSignedIn: true), "enter 1a")
  }
}
