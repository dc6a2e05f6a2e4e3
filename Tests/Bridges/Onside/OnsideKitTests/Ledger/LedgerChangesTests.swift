import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

@Suite @BridgeActor struct LedgerChangesTests {
  /// What a step changes, as `TYPE/SUBTYPE product`. As for a backend, each state that the store gets is compared with the one before.
  private func changes(_ session: TestSession, _ step: () throws -> Void) rethrows -> [String] {
    let count = session.ledgers.count
    try step()
    return zip(session.ledgers[(count - 1)...], session.ledgers[count...]).flatMap { former, present in
      present.changes(since: former, grace: session.onside.gracePeriod).map { change in
        "\(change.kind.rawValue)\(change.subtype.map { "/\($0)" } ?? "") \(change.order.productIdentifier)"
      }
    }
  }

  @discardableResult
  private func buy(_ product: String, _ session: TestSession) throws -> String {
    try #require(
      session.onside.seedPurchase(of: product, account: "de", purchasedAt: session.clock.now, isFinished: true)
    ).id
  }

  /// Lets time pass, and the ledger follow.
  private func pass(days: Int, _ session: TestSession) {
    session.clock.advance(by: .seconds(86_400 * days))
    _ = session.onside.ledger
  }

  @Test func `a purchase and its refund are reported as changes`() throws {
    let session = TestSession(account: "de")
    for product in ["coins", "sticker", "pass"] {
      #expect(try changes(session) { try buy(product, session) } == ["ONE_TIME_CHARGE \(product)"])
    }
    let id = try buy("sticker", session)
    #expect(changes(session) { session.onside.refund(order: id) } == ["REFUND sticker"])
    #expect(changes(session) { session.onside.refund(order: id) } == [])
  }

  @Test func `each step of a subscription is reported as a change`() throws {
    let session = TestSession(account: "de")
    var id = ""
    #expect(try changes(session) { id = try buy("silver", session) } == ["SUBSCRIBED/INITIAL_BUY silver"])
    #expect(changes(session) { pass(days: 32, session) } == ["DID_RENEW silver"])
    #expect(
      changes(session) { pass(days: 70, session) } == ["DID_RENEW silver", "DID_RENEW silver"])
    #expect(
      changes(session) { session.onside.cancelSubscription(order: id) }
        == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED silver"])
    #expect(changes(session) { pass(days: 32, session) } == ["EXPIRED/VOLUNTARY silver"])
    #expect(try changes(session) { try buy("silver", session) } == ["SUBSCRIBED/RESUBSCRIBE silver"])
  }

  @Test func `a failed renewal and how it ends are reported as changes`() throws {
    let session = TestSession(account: "de")
    try buy("silver", session)
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.onside.settings.billingGracePeriodEnabled = true
    #expect(changes(session) { pass(days: 32, session) } == ["DID_FAIL_TO_RENEW/GRACE_PERIOD silver"])
    #expect(
      changes(session) { session.onside.settings.renewalBillingIssuesEnabled = false }
        == ["DID_RENEW/BILLING_RECOVERY silver"])
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.onside.settings.billingGracePeriodEnabled = false
    #expect(changes(session) { pass(days: 32, session) } == ["DID_FAIL_TO_RENEW silver"])
    #expect(changes(session) { pass(days: 61, session) } == ["EXPIRED/BILLING_RETRY silver"])
  }

  @Test func `a failed renewal that the clock jumps over is reported`() throws {
    let session = TestSession(account: "de")
    try buy("silver", session)
    session.onside.settings.renewalBillingIssuesEnabled = true
    #expect(
      changes(session) { pass(days: 92, session) } == ["DID_FAIL_TO_RENEW silver", "EXPIRED/BILLING_RETRY silver"])
  }

  @Test func `buying again after a failed renewal is reported as RESUBSCRIBE`() throws {
    let session = TestSession(account: "de")
    try buy("silver", session)
    session.onside.settings.renewalBillingIssuesEnabled = true
    pass(days: 32, session)
    #expect(try changes(session) { try buy("silver", session) } == ["SUBSCRIBED/RESUBSCRIBE silver"])
    pass(days: 32, session)
    #expect(try changes(session) { try buy("gold", session) } == ["SUBSCRIBED/RESUBSCRIBE gold"])
    session.onside.settings.billingGracePeriodEnabled = true
    pass(days: 48, session)
    #expect(try changes(session) { try buy("silver", session) } == ["SUBSCRIBED/RESUBSCRIBE silver"])
    pass(days: 32, session)
    #expect(try changes(session) { try buy("gold", session) } == ["DID_CHANGE_RENEWAL_PREF/UPGRADE gold"])
    #expect(Set(session.onside.ledger.purchases.map(\.originalID)).count == 1)
  }

  @Test func `a change to another product of the group is reported once`() throws {
    let session = TestSession(account: "de")
    try buy("silver", session)
    #expect(try changes(session) { try buy("gold", session) } == ["DID_CHANGE_RENEWAL_PREF/UPGRADE gold"])
    let order = try #require(session.onside.ledger.subscriptions.first).orderID
    let former = session.onside.state.ledger
    var lower = former
    lower.changeAtRenewal(orderID: order, to: "silver")
    #expect(
      lower.changes(since: former, grace: { _ in 0 }).map(\.subtype) == ["DOWNGRADE"])
    #expect(former.changes(since: lower, grace: { _ in 0 }).map(\.kind) == [.renewalProductChanged])
  }

  @Test func `a refund of a subscription is reported once`() throws {
    let session = TestSession(account: "de")
    let id = try buy("silver", session)
    #expect(changes(session) { session.onside.refund(order: id) } == ["REFUND silver"])
    try buy("silver", session)
    let again = try #require(session.onside.ledger.subscriptions.first).orderID
    #expect(changes(session) { session.onside.expireSubscription(order: again) } == ["EXPIRED/VOLUNTARY silver"])
  }

  @Test func `a subscription renews although nobody looks`() async throws {
    let session = TestSession(account: "de")
    try buy("silver", session)
    session.clock.advance(by: .seconds(86_400 * 32))
    await session.changes.until { session.stored?.ledger.purchases.count == 2 }
    session.onside.settings.renewalBillingIssuesEnabled = true
    session.clock.advance(by: .seconds(86_400 * 32))
    await session.changes.until { session.stored?.ledger.subscriptions.first?.isInBillingRetry == true }
    // In the turn in which it becomes possible.
    session.onside.settings.renewalBillingIssuesEnabled = false
    #expect(session.stored?.ledger.purchases.count == 3)
  }

  @Test func `each renewal that was missed is a change of its own`() throws {
    let session = TestSession(account: "de")
    for product in ["silver", "coins"] { try buy(product, session) }
    let count = session.ledgers.count
    pass(days: 95, session)
    #expect(session.ledgers[count...].map(\.purchases.count) == [3, 4, 5])
  }

  @Test func `renewals of two accounts come in the order of their times, with ids that do not depend on reads`() throws
  {
    func ids(lookingEach days: Int) throws -> [String] {
      let session = TestSession(account: "de")
      for account in ["de", "es"] {
        _ = session.onside.seedPurchase(
          of: "silver", account: account, purchasedAt: session.clock.now, isFinished: true)
        session.clock.advance(by: .seconds(86_400 * 3))
      }
      for _ in 0..<(90 / days) { pass(days: days, session) }
      _ = try buy("coins", session)
      return session.onside.ledger.purchases.map { "\($0.accountID) \($0.id)" }
    }
    let once = try ids(lookingEach: 90)
    #expect(once.map { $0.prefix(2) } == ["de", "es", "de", "es", "de", "es", "de", "es", "de"])
    #expect(try ids(lookingEach: 1) == once)
    #expect(try ids(lookingEach: 45) == once)
  }

  @Test(arguments: [StoreKitTimeRate.realTime, .oneRenewalEveryTwoSeconds])
  func `reads during a very long absence do not change the ledger`(_ rate: StoreKitTimeRate) throws {
    func ledger(looks: Int) throws -> OnsideLedger {
      let session = TestSession(account: "de") { $0.timeRate = rate }
      try buy("silver", session)
      let seconds = rate == .realTime ? 86_400 * 365 * 200 : 40_000
      for _ in 0..<looks { session.clock.advance(by: .seconds(seconds / looks)); _ = session.onside.ledger }
      return session.onside.ledger
    }
    let once = try ledger(looks: 1)
    #expect(once.purchases.count == 1 + OnsideLedger.renewalLimit)
    #expect(try ledger(looks: 40) == once)
  }
}
