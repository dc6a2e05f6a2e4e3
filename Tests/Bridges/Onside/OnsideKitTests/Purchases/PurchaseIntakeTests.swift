import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// Purchases that arrive while an earlier one has not reached the payment queue.
@BridgeActor
struct PurchaseIntakeTests {
  private func buy(_ products: String..., on page: TestPage) -> [String] {
    products.map { page.start("purchase", ["productIdentifier": .string($0)]) }
  }

  /// Buys products while nobody is signed in, signs in, and waits until the page is asked about the first purchase.
  private func askedAfterLogin(
    _ products: String...
  ) async throws -> (session: TestSession, page: TestPage, calls: [String], question: BridgeMessage) {
    let session = TestSession { $0.contract = .version1_3 }
    let page = try await session.loadedPage()
    page.answers = [:]
    let calls = products.flatMap { buy($0, on: page) }
    session.presenter.answer(await session.presenter.sheet("login"), .approve(["account": "de"]))
    return (session, page, calls, await page.question("shouldContinueTransactionAfterLogin"))
  }

  /// The products of the queue's transactions, oldest first.
  private func products(of page: TestPage) async throws -> [JSONValue?] {
    try await page.transactions().map { $0["payment"]?["product"]?["productIdentifier"] }
  }

  @Test func `purchases that share a login enter the queue in the order of their calls`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let calls = buy("coins", "sticker", "pass", on: page)
    session.presenter.answer(await session.presenter.sheet("login"), .approve(["account": "de"]))
    for call in calls { _ = try await page.result(of: call) }
    #expect(try await products(of: page) == ["coins", "sticker", "pass"])
    #expect(session.presenter.presented.filter { $0.kind == "login" }.count == 1)
  }

  @Test func `a restore between two purchases that share a login keeps its place`() async throws {
    let session = TestSession()
    _ = session.onside.seedPurchase(of: "sticker", account: "de", purchasedAt: session.clock.now, isFinished: true)
    let page = try await session.loadedPage()
    let calls =
      buy("coins", on: page) + [page.start("restoreCompletedTransactions")] + buy("pass", on: page)
    session.presenter.answer(await session.presenter.sheet("login"), .approve(["account": "de"]))
    for call in calls { _ = try await page.result(of: call) }
    #expect(try await products(of: page) == ["coins", "sticker", "pass"])
    #expect(session.presenter.presented.filter { $0.kind == "login" }.count == 1)
  }

  @Test func `a dismissed login rejects restores, too`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let calls = buy("coins", on: page) + [page.start("restoreCompletedTransactions")]
    session.presenter.answer(await session.presenter.sheet("login"), .cancel)
    for call in calls {
      await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: call) }
    }
    #expect(session.presenter.presented.count == 1)
  }

  @Test func `a purchase does not overtake one that still waits for its delay`() async throws {
    let session = TestSession(account: "de")
    let page = try await session.loadedPage()
    try session.onside.settings.set(OnsideCallBehaviour(delayMilliseconds: 1000), for: .purchase)
    let calls = buy("coins", on: page)
    while session.clock.sleeperCount == 0 { await Task.yield() }
    try session.onside.settings.set(OnsideCallBehaviour(), for: .purchase)
    let later = buy("sticker", on: page)
    #expect(!page.isAnswered(later[0]))
    session.clock.advance(by: .seconds(1))
    for call in calls + later { _ = try await page.result(of: call) }
    #expect(try await products(of: page) == ["coins", "sticker"])
  }

  @Test func `a dismissed login rejects every purchase that waits for it`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let calls = buy("coins", "sticker", "pass", on: page)
    session.presenter.answer(await session.presenter.sheet("login"), .cancel)
    for call in calls {
      await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: call) }
    }
    #expect(session.presenter.presented.count == 1)
    #expect(try await page.transactions().isEmpty)
  }

  @Test func `a purchase after a dismissed login shows the login again`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let first = buy("coins", on: page)
    session.presenter.answer(await session.presenter.sheet("login"), .cancel)
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: first[0]) }
    let second = buy("coins", on: page)
    session.presenter.answer("login", .approve(["account": "de"]))
    _ = try await page.result(of: second[0])
    #expect(try await products(of: page) == ["coins"])
  }

  @Test func `while the page is asked about a purchase after its login, later ones wait`() async throws {
    let (_, page, calls, question) = try await askedAfterLogin("coins", "sticker")
    let later = buy("pass", on: page)
    #expect((calls + later).allSatisfy { !page.isAnswered($0) })
    page.respond(to: question, false)
    await #expect(throws: TestPage.Rejection(code: "rejectedAfterLogin")) { try await page.result(of: calls[0]) }
    // The second one, too, came when nobody was signed in. The third one did not, and is not asked about.
    page.respond(to: await page.question("shouldContinueTransactionAfterLogin", count: 2), true)
    _ = try await page.result(of: calls[1])
    _ = try await page.result(of: later[0])
    #expect(try await products(of: page) == ["sticker", "pass"])
  }

  @Test func `signing out while the page is asked rejects that purchase, and the next one asks to log in`()
    async throws
  {
    let (session, page, calls, question) = try await askedAfterLogin("coins", "sticker")
    session.onside.logout()
    page.respond(to: question, true)
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: calls[0]) }
    session.presenter.answer(await session.presenter.sheet("login"), .approve(["account": "es"]))
    page.respond(to: await page.question("shouldContinueTransactionAfterLogin", count: 2), true)
    await #expect(throws: Never.self) { try await page.result(of: calls[1]) }
    #expect(try await products(of: page) == ["sticker"])
  }

  @Test func `a launch that ends during a login rejects the purchases that wait for it`() async throws {
    let session = TestSession()
    let page = try await session.loadedPage()
    let calls = buy("coins", "sticker", on: page)
    _ = await session.presenter.sheet("login")
    session.onside.terminate()
    for call in calls {
      await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: call) }
    }
    #expect(session.presenter.open.isEmpty)
  }
}
