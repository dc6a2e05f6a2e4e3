import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

/// Random commands for a store. Whoever looks at it between them, and when, makes no difference.
@BridgeActor
struct LookTests {
  /// What a run leaves.
  private struct Outcome: Equatable {
    let state: OnsideState
    let ledgers: [OnsideLedger]
    let sheets: [JSONValue]
    let messages: [JSONValue]
  }

  @Test(arguments: 0..<60) func `a look changes nothing`(seed: Int) async throws {
    let unseen = try await outcome(of: seed, looks: false)
    let seen = try await outcome(of: seed, looks: true)
    #expect(unseen.ledgers == seen.ledgers)
    #expect(unseen.sheets == seen.sheets)
    #expect(unseen.messages == seen.messages)
    #expect(unseen == seen)
  }

  private func outcome(of seed: Int, looks: Bool) async throws -> Outcome {
    let store = try await RandomStore(seed: UInt64(seed))
    for _ in 0..<40 {
      if looks { store.look() }
      await store.step()
    }
    store.look()
    await store.settle()
    // The store gets the same ledger again with each change of something else.
    var ledgers: [OnsideLedger] = []
    for ledger in store.session.ledgers where ledger != ledgers.last { ledgers.append(ledger) }
    // Which page has asked is another object each time.
    let sheets = store.session.presenter.presented.map {
      JSONValue.array([.string($0.id), .string($0.kind), .object($0.content)])
    }
    return Outcome(
      state: store.session.onside.state, ledgers: ledgers, sheets: sheets,
      messages: store.page.log.map { [.string($0.payload.action), .object($0.payload.data ?? [:])] })
  }
}

/// A session to which random commands are given, the same for the same seed.
@BridgeActor
private final class RandomStore {
  let session: TestSession
  let page: TestPage
  private var numbers: SplitMix64
  private var onside: Onside { session.onside }

  init(seed: UInt64) async throws {
    numbers = SplitMix64(seed: seed)
    session = TestSession(account: "de") { $0.timeRate = .oneRenewalEveryTenSeconds }
    page = try await session.loadedPage()
  }

  /// Reads everything that depends on the ledger.
  func look() {
    for order in onside.ledger.purchases {
      _ = onside.transactionHistory(ofOrder: order.id)
      _ = onside.renewalPrice(order: order.id)
    }
    for account in onside.accounts { _ = onside.launch.restorable(for: account.id) }
    _ = onside.state
  }

  /// Lets the work that a command has begun come to rest.
  func settle() async {
    // What resumes goes over another thread first.
    for _ in 0..<20 {
      await Task.detached {}.value
      for _ in 0..<5 { await Task.yield() }
    }
  }

  /// Gives one command.
  func step() async {
    switch below(20) {
    case 0...3: session.clock.advance(by: .seconds([1, 4, 10, 25, 70][below(5)]))
    case 4...5: page.start("purchase", ["productIdentifier": .string(product)])
    case 6...8:
      let isApproved = below(4) > 0
      // The person answers what is on the screen now, not what the clock has closed.
      look()
      await settle()
      if let sheet = session.presenter.open.first { session.presenter.answer(sheet, isApproved ? .approve() : .cancel) }
    case 9:
      _ = onside.seedPurchase(of: product, account: account, purchasedAt: past, isFinished: below(2) == 0)
    case 10: setSettings()
    case 11: resolveTransaction()
    case 12: page.start("restoreCompletedTransactions")
    case 13: if below(2) == 0 { _ = onside.signIn(account: account) } else { onside.logout() }
    default: changeOrder()
    }
    await settle()
  }

  private func setSettings() {
    let isOn = below(2) == 0
    switch below(6) {
    case 0: onside.settings.renewalBillingIssuesEnabled = isOn
    case 1: onside.settings.billingGracePeriodEnabled = isOn
    case 2: onside.settings.askToBuyEnabled = isOn
    case 3: onside.settings.interruptedPurchasesEnabled = isOn
    case 4: onside.settings.disableDialogs = isOn
    default: onside.settings.timeRate = isOn ? .oneRenewalEveryTenSeconds : .monthlyRenewalEveryThirtySeconds
    }
  }

  private func resolveTransaction() {
    let queue = onside.defaultPaymentQueue()
    let isApproved = below(3) > 0
    guard let transaction = one(of: queue.transactions) else { return }
    if transaction.transactionState.isTerminal {
      page.start("finishTransaction", ["id": .string(transaction.id.text)])
    } else if isApproved {
      if !queue.approve(transaction.id) { queue.resolveInterruption(of: transaction.id) }
    } else if !queue.decline(transaction.id) {
      queue.resolveInterruption(of: transaction.id, successfully: false)
    }
  }

  private func changeOrder() {
    let kind = below(9)
    let price = OnsidePrice(value: Decimal(100 + below(100)), currencyCode: "EUR")
    guard let order = one(of: Array(onside.ledger.purchases))?.id else { return }
    switch kind {
    case 0: onside.refund(order: order)
    case 1: onside.expireSubscription(order: order)
    case 2: onside.renewSubscription(order: order)
    case 3: onside.cancelSubscription(order: order)
    case 4: onside.resumeSubscription(order: order)
    case 5: onside.deletePurchase(order: order)
    case 6: onside.consentToPriceIncrease(order: order)
    case 7: onside.declinePriceIncrease(order: order)
    default: onside.requestPriceIncrease(order: order, to: price)
    }
  }

  private var product: String { ["coins", "sticker", "pass", "gold", "silver"][below(5)] }
  private var account: String { ["de", "es"][below(2)] }
  private var past: BridgeInstant { session.clock.now.advanced(by: .seconds(-[0, 0, 3, 15][below(4)])) }

  private func below(_ count: Int) -> Int { Int(numbers.next() % UInt64(count)) }

  private func one<Element>(of list: [Element]) -> Element? {
    let number = Int(numbers.next() % 1_000_000)
    return list.isEmpty ? nil : list[number % list.count]
  }
}
