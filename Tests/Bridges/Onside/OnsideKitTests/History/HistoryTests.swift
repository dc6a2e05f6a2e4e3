import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

@BridgeActor
struct HistoryTests {
  private struct Signer: HistorySigner {
    func sign(payload: [UInt8]) async throws -> String { "head." + String(decoding: payload, as: UTF8.self) + ".tail" }
  }

  private func payload(_ page: TestPage) async throws -> JSONValue {
    let history = try #require(try await page.call("getSignedInAppsHistory"))
    let string = try #require(history["string"]?.stringValue)
    #expect(history["dataBase64"]?.stringValue == Data(string.utf8).base64EncodedString())
    return try JSONValue(parsing: String(string.dropFirst(5).dropLast(5)))
  }

  @Test func `the history lists the account's orders as the merchant API does`() async throws {
    let session = TestSession(account: "de", signer: Signer()) { $0.disableDialogs = true }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins", "appAccountToken": "me"])
    _ = await page.states(2)
    let order = try #require(session.onside.ledger.purchases.first)
    #expect(
      try await payload(page) == [
        "transactions": [
          [
            "app_account_token": "me", "bundle_id": "com.example.app", "currency": "EUR", "expires_at": nil,
            "order_id": .string(order.id), "original_order_id": .string(order.id),
            "original_purchase_date": "2025-10-09T08:53:20Z", "purchase_date": "2025-10-09T08:53:20Z",
            "fetched_at": "2025-10-09T08:53:20Z", "price": 99, "product_id": "coins", "product_slug": "coins",
            "product_type": "CONSUMABLE", "quantity": 1, "revocation_date": nil, "revocation_reason": nil,
            "subscription_id": nil, "transaction_reason": "PURCHASE", "user_country": "DE",
          ]
        ]
      ])
    #expect(try await page.transactions().first?["transactionIdentifier"]?.stringValue == order.id)
  }

  @Test func `the history of each order of a chain has its renewals and refunds`() async throws {
    let session = TestSession(account: "de", signer: Signer()) {
      $0.disableDialogs = true
      $0.timeRate = .oneRenewalEveryTenSeconds
    }
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "silver"])
    _ = await page.states(2)
    session.clock.advance(by: .seconds(15))
    let orders = session.onside.ledger.purchases
    session.onside.refund(order: orders[1].id)
    let transactions = try #require(try await payload(page)["transactions"]?.arrayValue)
    #expect(transactions.map { $0["transaction_reason"] } == ["PURCHASE", "RENEWAL"])
    #expect(transactions.map { $0["expires_at"] } == ["2025-10-09T08:53:30Z", "2025-10-09T08:53:40Z"])
    #expect(transactions.map { $0["original_order_id"]?.stringValue } == [orders[0].id, orders[0].id])
    #expect(transactions.map { $0["revocation_reason"] } == [.null, "REFUNDED"])
    #expect(transactions.map { $0["subscription_id"] } == ["club", "club"])
    #expect(session.onside.transactionHistory(ofOrder: orders[1].id)?["transactions"]?.arrayValue == transactions)
    #expect(session.onside.transactionHistory(ofOrder: "none") == nil)
  }

  @Test func `a history request without a login is rejected and shows no sheet`() async throws {
    let session = TestSession(signer: Signer())
    let page = session.page()
    await #expect(throws: TestPage.Rejection(code: "notLoggedIn")) { try await page.call("getSignedInAppsHistory") }
    #expect(session.presenter.presented.isEmpty)
    #expect(throws: OnsideSignedInAppsHistoryRequestError.notLoggedIn) {
      try session.onside.makeSignedInAppsHistoryRequest().get()
    }
  }

  @Test func `payment methods are shown after a login`() async throws {
    let session = TestSession()
    let page = session.page()
    session.presenter.answer("login", .cancel)
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) {
      try await page.call("presentPaymentMethodsManager")
    }
    session.presenter.answer("login", .approve())
    let call = page.start("presentPaymentMethodsManager")
    let sheet = await session.presenter.sheet("paymentMethods")
    #expect(sheet.content["methods"] == [["id": "card", "label": "Visa •••• 4242"]])
    #expect(sheet.content["account"] == ["name": "Uta Muster", "email": "uta@example.de"])
    session.presenter.answer(sheet, .cancel)
    #expect(try await page.result(of: call) == nil)
  }
}
