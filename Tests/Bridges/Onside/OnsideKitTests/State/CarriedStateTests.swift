import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

@Suite @BridgeActor struct CarriedStateTests {
  /// A session with a subscription, a finished order, and unfinished transactions.
  private func state() throws -> OnsideState {
    let session = TestSession(account: "de")
    let onside = session.onside
    let now = session.clock.now
    for product in ["gold", "sticker"] {
      _ = try #require(onside.seedPurchase(of: product, account: "de", purchasedAt: now, isFinished: true))
    }
    _ = try #require(onside.seedPurchase(of: "coins", account: "de", purchasedAt: now, isFinished: false))
    _ = try #require(onside.seedTransaction(of: "coins", account: "de", .interrupted))
    _ = try #require(onside.seedTransaction(of: "coins", account: "de", .failed(.cancelled)))
    return onside.state
  }

  @Test func `an imported state gets new order ids everywhere`() throws {
    let state = try state()
    let renamed = state.withNewOrderIDs(BridgeRandom(seed: 2))
    #expect(renamed.orderIDs.isDisjoint(with: state.orderIDs) && renamed.orderIDs.count == state.orderIDs.count)
    #expect(renamed.impossibility == nil)
    for (old, new) in zip(state.ledger.purchases, renamed.ledger.purchases) {
      #expect((old.id == old.originalID) == (new.id == new.originalID))
      #expect(old.productIdentifier == new.productIdentifier && old.expiresAt == new.expiresAt)
    }
    let subscription = try #require(renamed.ledger.subscriptions.first)
    #expect(renamed.ledger[subscription.orderID]?.productIdentifier == "gold")
    let bought = try #require(renamed.transactions.first { $0.transaction.transactionState == .purchased })
    #expect(renamed.ledger[bought.transaction.transactionIdentifier ?? ""]?.productIdentifier == "coins")
    #expect(renamed.transactions.map(\.transaction.id) == state.transactions.map(\.transaction.id))
    #expect(state.withNewOrderIDs(BridgeRandom(seed: 2)) == renamed)
  }

  @Test func `an exported state has no launch, and retains ledger and transactions`() async throws {
    var state = try state()
    state.launch.countryCodeAssumption = "FR"
    let carried = state.carried
    #expect(carried.launch == OnsideLaunchState() && carried.formerLaunch == nil)
    #expect(carried.ledger == state.ledger && carried.transactions == state.transactions)
  }

  @Test func `finished transactions are not exported`() throws {
    var state = try state()
    let index = try #require(state.transactions.firstIndex { $0.transaction.transactionState == .purchased })
    let id = state.transactions[index].transaction.id
    #expect(state.transactions[index].finish() == .removeAfterCompletion)
    #expect(!state.carried.transactions.contains { $0.transaction.id == id })
  }

  @Test(arguments: [
    "two ids", "id", "upper case", "price", "purchasedAt", "subscription", "offerLength", "anchoredAt", "transaction",
    "error",
  ])
  func `an impossible state is refused`(member: String) throws {
    var state = try state()
    #expect(state.impossibility == nil)
    let json = try #require(String(data: JSONEncoder().encode(state), encoding: .utf8))
    func decoded(_ text: String) throws -> OnsideState {
      try JSONDecoder().decode(OnsideState.self, from: Data(text.utf8))
    }
    let order = try #require(state.ledger.purchases.first)
    switch member {
    case "two ids": state.ledger.purchases.append(order)
    case "id":
      state = try decoded(json.replacingOccurrences(of: "\"id\":\"\(order.id)\"", with: "\"id\":\"x\""))
    case "upper case": state = try decoded(json.replacingOccurrences(of: order.id, with: order.id.uppercased()))
    case "price": state = try decoded(json.replacingOccurrences(of: "\"value\":\"", with: "\"value\":\"-"))
    case "purchasedAt": state.ledger.purchases[0].expiresAt = -1
    case "subscription": state.ledger.subscriptions[0].orderID = "unknown"
    case "offerLength":
      state = try decoded(json.replacingOccurrences(of: "\"numberOfPeriods\":1", with: "\"numberOfPeriods\":0"))
    case "anchoredAt": state.ledger.subscriptions[0].anchoredAt = -1
    case "transaction": state.transactions.append(state.transactions[0])
    default:
      let failed = try #require(state.transactions.firstIndex { $0.transaction.error != nil })
      state.transactions[failed].transaction.error = nil
    }
    #expect(state.impossibility != nil)
  }

  @Test func `a state stored by an earlier version is decoded`() throws {
    let state = try state()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var json = try #require(String(data: encoder.encode(state), encoding: .utf8))
    for member in [#""offerLength":\{[^}]*\},"#, #""anchoredAt":[^,}]*,"#] {
      json.removeSubrange(try #require(json.range(of: member, options: .regularExpression)))
    }
    var former = state
    former.ledger.subscriptions[0].offerLength = nil
    former.ledger.subscriptions[0].anchoredAt = nil
    #expect(try JSONDecoder().decode(OnsideState.self, from: Data(json.utf8)) == former)
  }
}
