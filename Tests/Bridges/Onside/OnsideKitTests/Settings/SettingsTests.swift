import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import OnsideKit

@BridgeActor
struct SettingsTests {
  @Test func `the setting that fails transactions fails payments after they were sent`() async throws {
    let session = TestSession(account: "de") { $0.failTransactionsEnabled = true }
    session.presenter.answer("payment", .approve())
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    #expect(await page.states(2) == ["purchasing", "failed"])
    #expect(try await page.transactions().first?["transactionIdentifier"]?.stringValue != nil)
    #expect(session.onside.state.ledger.purchases.isEmpty)
  }

  @Test func `with ask to buy a transaction stays purchasing until it is approved or declined`() async throws {
    let session = TestSession(account: "de") {
      $0.askToBuyEnabled = true
      $0.disableDialogs = true
    }
    let page = try await session.loadedPage()
    let queue = session.onside.defaultPaymentQueue()
    try await page.call("purchase", ["productIdentifier": "coins"])
    try await page.call("purchase", ["productIdentifier": "pass"])
    await session.changes.until { queue.transactions.count == 2 }
    while queue.transactionsAwaitingApproval.count < 2 { await Task.yield() }
    #expect(page.states == ["purchasing", "purchasing"])
    let ids = queue.transactions.map(\.id)
    #expect(queue.transactions.allSatisfy { $0.transactionIdentifier == nil })
    session.launch()
    let next = session.page()
    let relaunched = session.onside.defaultPaymentQueue()
    _ = await next.states(2)
    #expect(relaunched.approve(ids[0]))
    #expect(await next.states(3).last == "purchased")
    #expect(relaunched.decline(ids[1]))
    #expect(await next.states(4).last == "failed")
    #expect(!relaunched.approve(ids[1]))
    #expect(!relaunched.decline(UUID()))
  }

  @Test(arguments: [(true, "purchased"), (false, "failed")])
  func `an interrupted purchase stays purchasing until it is resolved`(_ successfully: Bool, _ state: String)
    async throws
  {
    let session = TestSession(account: "de") {
      $0.interruptedPurchasesEnabled = true
      $0.disableDialogs = true
    }
    let page = try await session.loadedPage()
    let queue = session.onside.defaultPaymentQueue()
    try await page.call("purchase", ["productIdentifier": "coins"])
    while queue.interruptedTransactions.isEmpty { await Task.yield() }
    let transaction = try #require(queue.interruptedTransactions.first)
    #expect(transaction.transactionState == .purchasing && transaction.transactionIdentifier != nil)
    #expect(queue.resolveInterruption(of: transaction.id, successfully: successfully))
    #expect(await page.states(2) == ["purchasing", state])
  }

  /// Every error of every call that a promise reports.
  nonisolated static let rejections = OnsideCall.allCases.filter { ![.payment, .restore].contains($0) }
    .flatMap { call in call.errorCases.map { (call, $0) } }

  @Test(arguments: rejections)
  func `every error of every call can be set, once or until it is cleared`(_ call: OnsideCall, _ error: String)
    async throws
  {
    let arguments: [String: JSONValue] = [
      "version": "v1", "theme": "dark", "force": true, "countryCode": "DE", "name": "event",
      "productIdentifier": "coins",
      "productIdentifiers": ["coins"], "id": "none",
    ]
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try session.onside.settings.set(OnsideCallBehaviour(error: error, once: false), for: call)
    for _ in 0..<2 {
      await #expect(throws: TestPage.Rejection(code: error)) { try await page.call(call.rawValue, arguments) }
    }
    try session.onside.settings.set(OnsideCallBehaviour(error: error, once: true), for: call)
    await #expect(throws: TestPage.Rejection(code: error)) { try await page.call(call.rawValue, arguments) }
    #expect(session.onside.settings.calls.isEmpty)
  }

  @Test(arguments: OnsidePaymentTransactionError.allCases)
  func `every error of a transaction can be set`(_ error: OnsidePaymentTransactionError) async throws {
    let session = TestSession(account: "de")
    try session.onside.settings.set(OnsideCallBehaviour(error: error.rawValue, once: true), for: .payment)
    let page = try await session.loadedPage()
    try await page.call("purchase", ["productIdentifier": "coins"])
    _ = await page.states(2)
    #expect(try await page.transactions().first?["error"] == [error.rawValue: [:]])
  }

  @Test(arguments: OnsideTransactionsRestoreError.allCases)
  func `every error of a restore can be set`(_ error: OnsideTransactionsRestoreError) async throws {
    let session = TestSession(account: "de")
    try session.onside.settings.set(OnsideCallBehaviour(error: error.rawValue, once: true), for: .restore)
    let page = session.page()
    try await page.call("restoreCompletedTransactions")
    #expect(await page.callback("onRestoreCompletedTransactionsFailedWithError")["error"] == [error.rawValue: [:]])
    #expect(page.callbacks("onRestoreCompletedTransactionsFinished").isEmpty)
  }

  /// A later version may have stored it.
  @Test func `stored settings with an unknown error of a call are damaged`() throws {
    var settings = OnsideSettings()
    try settings.set(OnsideCallBehaviour(error: "unknownProduct"), for: .purchase)
    let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
    #expect(text.contains("unknownProduct"))
    let later = Data(text.replacing("unknownProduct", with: "laterError").utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(OnsideSettings.self, from: later) }
  }

  @Test func `an error that a call does not have is refused`() {
    var settings = OnsideSettings()
    #expect(throws: OnsideSettingsError.unknownErrorCase("notLoggedIn", call: .loadProducts)) {
      try settings.set(OnsideCallBehaviour(error: "notLoggedIn"), for: .loadProducts)
    }
  }

  @Test func `contract docs refuses errors that only 1.3 has, and has no others`() throws {
    for call in OnsideCall.allCases {
      let newest = Set(call.errorCases(in: .version1_3))
      #expect(newest == Set(call.errorCases))
      #expect(newest.isSuperset(of: call.errorCases(in: .docs)))
    }
    let own = OnsideCall.allCases.flatMap { call in
      Set(call.errorCases).subtracting(call.errorCases(in: .docs)).subtracting(OnsideCall.bridgeErrorCases)
        .map { "\(call.rawValue) \($0)" }
    }
    #expect(
      Set(own) == [
        "initializeOnside reason", "presentPaymentMethodsManager presentationFailed", "payment presentationFailed",
        "purchase rejectedAfterLogin",
      ])
    #expect(OnsideCall.logout.errorCases(in: .docs).isEmpty)
    var settings = OnsideSettings()
    try settings.set(OnsideCallBehaviour(error: "rejectedAfterLogin"), for: .purchase)
    let refusal = OnsideSettingsError.errorOfAnotherContract("rejectedAfterLogin", call: .purchase, contract: .docs)
    #expect(throws: refusal) { try settings.checkErrors() }
    #expect(refusal.description.hasSuffix("Use one of: unknownProduct, loginDiscarded; or set onsideContract to 1.3."))
    settings.contract = .version1_3
    try settings.checkErrors()
  }

  @Test func `a delayed call is answered when the clock has passed the delay`() async throws {
    let session = TestSession()
    try session.onside.settings.set(OnsideCallBehaviour(delayMilliseconds: 300), for: .loadProducts)
    let page = session.page()
    let call = page.start("loadProducts", ["productIdentifiers": []])
    while session.clock.sleeperCount == 0 { await Task.yield() }
    #expect(!page.isAnswered(call))
    session.clock.advance(by: .milliseconds(300))
    #expect(try await page.result(of: call)?["products"] == [])
  }

  @Test(
    arguments: [("getTransactions", [:]), ("logout", [:]), ("trackEvent", ["name": "a"])]
      as [(String, [String: JSONValue])])
  func `a call that is answered at once can be delayed`(_ function: String, _ arguments: [String: JSONValue])
    async throws
  {
    let session = TestSession()
    let call = try #require(OnsideCall(rawValue: function))
    try session.onside.settings.set(OnsideCallBehaviour(delayMilliseconds: 300), for: call)
    let page = session.page()
    let id = page.start(function, arguments)
    while session.clock.sleeperCount == 0 { await Task.yield() }
    #expect(!page.isAnswered(id))
    session.clock.advance(by: .milliseconds(300))
    _ = try await page.result(of: id)
  }

  @Test func `stored settings of an earlier version are completed with defaults`() throws {
    let settings = try JSONDecoder().decode(OnsideSettings.self, from: Data(#"{"locale": "de_DE"}"#.utf8))
    var expected = OnsideSettings()
    expected.locale = "de_DE"
    #expect(settings == expected)
  }

  @Test(arguments: ["presentPaymentMethodsManager", "getSignedInAppsHistory"])
  func `calls that local testing does not support are rejected`(_ function: String) async throws {
    let page = TestSession(account: "de") { $0.localTesting = true }.page()
    await #expect(throws: TestPage.Rejection(code: "notSupportedInLocalTesting")) { try await page.call(function) }
  }

  @Test func `settings are retained by the next launch`() throws {
    let session = TestSession()
    session.onside.settings.askToBuyEnabled = true
    session.launch()
    #expect(session.onside.settings.askToBuyEnabled)
  }
}
