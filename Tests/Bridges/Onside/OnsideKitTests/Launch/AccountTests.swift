import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

@BridgeActor
struct AccountTests {
  @Test func `the storefront is null until login, and changes with login, country and logout`() async throws {
    let session = TestSession()
    let page = session.page()
    #expect(try await page.call("getCurrentStorefront") == ["storefront": .null])
    session.presenter.answer("login", .approve(["account": "es"]))
    try await page.call("requestLogin")
    let spain = try #require(try await page.call("getCurrentStorefront")?["storefront"])
    #expect(spain["countryCode"] == "ES")
    #expect(session.onside.move(account: "es", to: "FRA"))
    try await page.call("logout")
    let changes = page.callbacks("onStorefrontChanged").map { $0["storefront"] }
    #expect(changes.map { $0?["countryCode"] } == ["ES", "FR", nil])
    #expect(changes.last == JSONValue.null)
  }

  @Test func `the storefront's id changes with each launch, and the account stays signed in`() async throws {
    let session = TestSession(account: "de")
    let first = try await session.page().call("getCurrentStorefront")?["storefront"]
    #expect(try await session.page().call("getCurrentStorefront")?["storefront"] == first)
    session.launch()
    let second = try await session.page().call("getCurrentStorefront")?["storefront"]
    #expect(second?["countryCode"] == "DE")
    #expect(second?["id"] != first?["id"])
  }

  @Test func `the login sheet has the accounts, the allowed methods and the theme`()
    async throws
  {
    let session = TestSession()
    let page = session.page()
    let call = page.start("requestLogin")
    let sheet = await session.presenter.sheet("login")
    #expect(
      sheet.content["methods"]?.arrayValue?.compactMap { $0["kind"] } == ["federated", "federated", "sms", "email"])
    #expect(
      sheet.content["accounts"]?.arrayValue?.first == [
        "id": "de", "name": "Uta Muster", "email": "uta@example.de", "countryCode": "DE",
      ])
    session.presenter.answer(sheet, .cancel)
    _ = try? await page.result(of: call)
    try await page.call("setShouldForceLocalLoginMethods", ["force": true])
    try await page.call("setAppearance", ["theme": "dark"])
    page.start("requestLogin")
    let local = await session.presenter.sheet("login")
    #expect(local.content["methods"]?.arrayValue?.compactMap { $0["kind"] } == ["sms", "email"])
    #expect(local.content["theme"] == "dark")
  }

  @Test func `an account that moves while the login sheet is open signs in with its new country`() async throws {
    let session = TestSession()
    let page = session.page()
    let call = page.start("requestLogin")
    let sheet = await session.presenter.sheet("login")
    #expect(session.onside.move(account: "es", to: "FRA"))
    session.presenter.answer(sheet, .approve(["account": "es"]))
    _ = try await page.result(of: call)
    #expect(try await page.call("getCurrentStorefront")?["storefront"]?["countryCode"] == "FR")
  }

  @Test func `a dismissed login sheet rejects with loginDiscarded`() async throws {
    let session = TestSession()
    session.presenter.answer("login", .cancel)
    let page = session.page()
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.call("requestLogin") }
  }

  @Test func `logins at the same time share one sheet, and a signed-in account sees none`() async throws {
    let session = TestSession()
    let page = session.page()
    let calls = [page.start("requestLogin"), page.start("requestLogin"), page.start("restoreCompletedTransactions")]
    let sheet = await session.presenter.sheet("login")
    session.presenter.answer(sheet, .approve())
    for call in calls { _ = try await page.result(of: call) }
    try await page.call("requestLogin")
    #expect(session.presenter.presented.count == 1)
    #expect(session.onside.account?.id == "de")
  }

  @Test func `signing in by a test ends the open login and dismisses its sheet`() async throws {
    let session = TestSession()
    let page = session.page()
    let calls = [page.start("requestLogin"), page.start("restoreCompletedTransactions")]
    let sheet = await session.presenter.sheet("login")
    #expect(session.onside.signIn(account: "es"))
    for call in calls { _ = try await page.result(of: call) }
    await session.changes.until { session.presenter.open.isEmpty }
    #expect(session.onside.account?.id == "es")
    session.onside.logout()
    let next = page.start("requestLogin")
    let other = await session.presenter.sheet("login")
    #expect(other.id != sheet.id)
    session.presenter.answer(other, .cancel)
    await #expect(throws: TestPage.Rejection(code: "loginDiscarded")) { try await page.result(of: next) }
  }

  @Test func `without configured accounts a built-in one has the country of the settings`() async throws {
    let session = TestSession(OnsideConfiguration()) { $0.storefront = "NL" }
    session.presenter.answer("login", .approve())
    let page = session.page()
    try await page.call("requestLogin")
    #expect(session.onside.account?.countryCode == "NL")
    session.onside.settings.storefront = "BE"
    #expect(page.callbacks("onStorefrontChanged").last?["storefront"]?["countryCode"] == "BE")
  }

  @Test(
    arguments: [
      ("setAppearance", ["theme": "blue"]), ("setShouldForceLocalLoginMethods", ["force": 1]),
      ("setDefaultCountryCodeAssumption", [:]), ("initializeOnside", ["version": "v2"]),
    ] as [(String, [String: JSONValue])])
  func `setters refuse invalid arguments`(_ function: String, _ arguments: [String: JSONValue]) async throws {
    let page = TestSession().page()
    await #expect(throws: TestPage.Rejection(code: "bridge.invalidArguments")) {
      try await page.call(function, arguments)
    }
  }
}
