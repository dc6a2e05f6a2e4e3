import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// The SDK as a Swift program uses it, without a page.
@BridgeActor
struct NativeQueueTests {
  private final class Observer: OnsidePaymentTransactionObserver, OnsidePaymentQueueDelegate {
    var log: [String] = []
    let changes: Changes

    init(changes: Changes) { self.changes = changes }

    private func note(_ entry: String) {
      log.append(entry)
      changes.note()
    }

    func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]) {
      note("updated " + updatedTransactions.map(\.transactionState.rawValue).joined(separator: " "))
    }

    func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {
      note("removed \(removedTransactions.count)")
    }

    func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue) {
      note("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func onsidePaymentQueue(
      _ queue: OnsidePaymentQueue,
      shouldContinue transaction: OnsidePaymentTransaction,
      in storefront: OnsideStorefront
    ) async -> Bool {
      note("asked")
      return true
    }
  }

  private func payment(_ session: TestSession) throws -> OnsidePayment {
    OnsidePayment(product: try #require(session.onside.launch.product("coins", in: "DE")))
  }

  @Test func `a payment queue accepts payments without an observer and resumes with the first one`()
    async throws
  {
    let session = TestSession(account: "de")
    let queue = session.onside.defaultPaymentQueue()
    try await queue.add(payment(session))
    #expect(queue.transactions.map(\.transactionState) == [.purchasing])
    #expect(session.presenter.presented.isEmpty)
    let observer = Observer(changes: session.changes)
    queue.delegate = observer
    queue.add(observer: observer)
    queue.add(observer: observer)
    session.presenter.answer(await session.presenter.sheet("payment"), .approve())
    await session.changes.until { observer.log.count == 3 }
    #expect(observer.log == ["updated purchasing", "asked", "updated purchased"])
    queue.finishTransaction(try #require(queue.transactions.first))
    #expect(observer.log.last == "removed 1")
    #expect(queue.transactions.isEmpty)
  }

  @Test func `a new observer gets the updates since the last observer was removed`() async throws {
    let session = TestSession(account: "de")
    let queue = session.onside.defaultPaymentQueue()
    let observer = Observer(changes: session.changes)
    queue.add(observer: observer)
    try await queue.add(payment(session))
    let sheet = await session.presenter.sheet("payment")
    queue.remove(observer: observer)
    session.presenter.answer(sheet, .approve())
    while queue.transactions.first?.transactionState != .purchased { await Task.yield() }
    #expect(observer.log == ["updated purchasing"])
    queue.add(observer: observer)
    #expect(observer.log == ["updated purchasing", "updated purchased"])
  }

  @Test func `a queue holds no task for a payment that has ended and waits to be finished`() async throws {
    let session = TestSession(account: "de")
    let queue = session.onside.defaultPaymentQueue()
    let observer = Observer(changes: session.changes)
    queue.add(observer: observer)
    try await queue.add(payment(session))
    session.presenter.answer(await session.presenter.sheet("payment"), .approve())
    await session.changes.until { observer.log.last == "updated purchased" }
    for _ in 0..<1000 where !queue.tasks.isEmpty { await Task.yield() }
    #expect(queue.tasks.isEmpty && queue.transactions.count == 1)
  }

  @Test func `a payment asks for the login first, and is not added without one`() async throws {
    let session = TestSession()
    let queue = session.onside.defaultPaymentQueue()
    let payment = try payment(session)
    session.presenter.answer("login", .cancel, .approve(["account": "es"]), .approve(["account": "nobody"]))
    await #expect(throws: OnsidePaymentQueueAddProductError.loginDiscarded) { try await queue.add(payment) }
    #expect(queue.transactions.isEmpty)
    try await queue.add(payment)
    #expect(queue.storefront?.countryCode == "ES")
    session.onside.logout()
    await #expect(throws: OnsideLoginError.loginDiscarded) { try await session.onside.requestLogin() }
  }

  @Test func `a terminated launch does not change the next one's state`() async throws {
    let session = TestSession(account: "de")
    let old = session.onside
    session.launch()
    old.logout()
    old.settings.askToBuyEnabled = true
    #expect(session.stored?.account?.id == "de")
    #expect(session.stored?.settings.askToBuyEnabled == false)
  }

  @Test func `a terminated launch dismisses its sheets`() async throws {
    let session = TestSession()
    let page = session.page()
    page.start("requestLogin")
    _ = await session.presenter.sheet("login")
    session.launch()
    await session.changes.until { session.presenter.open.isEmpty }
    #expect(session.onside.account == nil)
  }

  // MARK: The history request

  private struct Signer: HistorySigner {
    func sign(payload: [UInt8]) async throws -> String { "a.b.c" }
  }

  private final class HistoryDelegate: OnsideSignedInAppsHistoryRequestDelegate {
    var log: [String] = []
    let changes: Changes

    init(changes: Changes) { self.changes = changes }

    func onsideSignedInAppsHistoryRequest(
      _ request: OnsideSignedInAppsHistoryRequest,
      didReceive history: OnsideSignedInAppsHistory
    ) {
      log.append(history.string ?? "")
    }

    func onsideSignedInAppsHistoryRequest(
      _ request: OnsideSignedInAppsHistoryRequest,
      didFailWithError error: OnsideSignedInAppsHistoryRequestError
    ) {
      log.append(error.rawValue)
    }

    func onsideSignedInAppsHistoryRequestDidFinish(_ request: OnsideSignedInAppsHistoryRequest) {
      log.append("finished")
      changes.note()
    }
  }

  @Test(arguments: [(false, "a.b.c"), (true, "cancelled")])
  func `a history request delivers the compact JWS, or is stopped`(_ isStopped: Bool, _ outcome: String) async throws {
    let session = TestSession(account: "de", signer: Signer())
    let delegate = HistoryDelegate(changes: session.changes)
    let request = try session.onside.makeSignedInAppsHistoryRequest().get()
    request.delegate = delegate
    request.start()
    if isStopped { request.stop() }
    await session.changes.until { delegate.log.count == 2 }
    #expect(delegate.log == [outcome, "finished"])
  }
}
