import BridgeCore
import BridgeRuntime
import Footbridge
import FootbridgeTesting
import Foundation
import OnsideKit
import Testing

/// Pages without a browser.
@Suite(.timeLimit(.minutes(5)), .footbridge { $0.onside = try shop() }) @BridgeActor struct TestPageTests {
  private func server() throws -> TestServer { try TestServer.current }

  @Test func `a call returns the data of its answer`() async throws {
    let page = try await server().openPage()
    let answer = try await page.call("capability.query")
    #expect(answer["capabilities"]?["camera.document"] != nil)
  }

  @Test func `a call whose answer is an error throws it`() async throws {
    let page = try await server().openPage()
    let error = await #expect(throws: BridgeErrorPayload.self) {
      try await page.call("onside.finishTransaction", ["id": "1"])
    }
    #expect(error?.code.isEmpty == false)
  }

  @Test func `a call without an answer throws an ExpectationError that names it`() async throws {
    let page = try await server().openPage()
    let error = await #expect(throws: ExpectationError.self) { try await page.call("unknown", within: .zero) }
    #expect(error?.description.contains("unknown was not answered") == true)
  }

  @Test func `a purchase shows its sheets and calls the page's callbacks`() async throws {
    let server = try server()
    let page = try await server.openPage()
    try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
    var questions: [String] = []
    page.onRequest = { question in
      questions.append(question.action)
      return ["result": true]
    }
    async let purchase = page.call("onside.purchase", ["productIdentifier": "coins"])
    try await server.session.sheet("login").approve(["account": "built-in"])
    try await server.session.sheet("payment").approve()
    _ = try await purchase
    let states = try await [page.event("onside.onTransactionsUpdated"), page.event("onside.onTransactionsUpdated")]
    #expect(states.last?.data["transactions"]?.arrayValue?.first?["transactionState"] == "purchased")
    #expect(questions == ["onside.shouldContinueTransaction"])
  }

  @Test func `the device goes to the background, opens links, and refuses what it cannot be`() async throws {
    let server = try server()
    let page = try await server.openPage()
    let device = server.session.device
    try device.background()
    #expect(device.members["state"] == "suspended")
    let noted = try await server.journal.first(.store, action: "device")
    #expect(noted.data?["state"] == "suspended")
    try device.foreground()
    try device.set(["colorScheme": "dark", "languages": ["de-AT"]])
    device.memoryWarning()
    _ = try await server.journal.first(.store, action: "device", data: ["memoryWarning": true])
    #expect(try device.open(link: "https://shop.example/offer?id=7", isCold: false) == "/offer?id=7")
    #expect(page.isConnected && device.members["opening"] == ["link": "https://shop.example/offer?id=7"])
    try device.open(push: ["order": 7])
    while page.isConnected { await Task.yield() }
    #expect(device.members["opening"] == ["push": ["order": 7]])
    try device.open(shortcut: "scan", isCold: false)
    #expect(device.members["opening"] == ["shortcut": "scan"] && device.members["colorScheme"] == "dark")
    let error = #expect(throws: ExpectationError.self) { try device.set(["colorScheme": "blue"]) }
    #expect(error?.description.contains("must be one of: light, dark") == true)
  }

  @Test func `a sheet is answered once`() async throws {
    let server = try server()
    let page = try await server.openPage()
    async let login = page.ask("onside.requestLogin")
    let sheet = try await server.session.sheet("login")
    try sheet.cancel()
    #expect(throws: ExpectationError.self) { try sheet.approve() }
    #expect(try await login.status == .error)
  }

  @Test func `posting to a message handler returns the host's reply`() async throws {
    let page = try await server().openPage(at: "/feed")
    let reply = try await page.post(["type": "headers"], to: "todayWebViewBridge")
    #expect(reply?.objectValue != nil)
    await #expect(throws: ExpectationError.self) { try await page.post([:], to: "nobody") }
  }

  @Test func `posting an envelope is answered with a message`() async throws {
    let page = try await server().openPage()
    try await page.post(
      [
        "version": "1.0", "correlationId": "q", "type": "request", "timestamp": 1,
        "payload": ["action": "capability.query"],
      ], to: "gbgBridge")
    let answer = try await page.message { $0["correlationId"] == "q" }
    #expect(answer["payload"]?["status"] == "success")
    #expect(page.messages == [answer])
  }

  @Test func `a page that reconnects resumes its open calls`() async throws {
    let server = try server()
    let page = try await server.openPage()
    async let login = page.call("onside.requestLogin")
    let sheet = try await server.session.sheet("login")
    page.disconnect()
    try await server.journal.first(.page, action: "disconnected")
    try sheet.approve(["account": "built-in"])
    try await page.connect()
    _ = try await login
    #expect(server.journal.entries.filter { $0.action == "onside.requestLogin" && $0.kind == .request }.count == 1)
  }

  @Test func `closing a page ends it, and a relaunch ends it with a reason`() async throws {
    let server = try server()
    let page = try await server.openPage()
    page.close()
    try await server.journal.first(.page, action: "ended", page: "page-1")
    let other = try await server.openPage()
    server.session.relaunch()
    try await server.journal.first(.page, action: "ended", page: "page-2")
    while other.isConnected { await Task.yield() }
    #expect(other.closeReason == "The app of this page has ended: calls get no answer until it is loaded again.")
  }

  @Test func `a page's requests are in the journal of its own session only`() async throws {
    let server = try server()
    let session = server.makeSession(name: "second device")
    let pages = try await [server.openPage(), session.openPage()]
    for page in pages { try await page.call("capability.query") }
    #expect(session.id != server.session.id)
    for session in [server.session, session] {
      #expect(session.journal.entries.filter { $0.kind == .request }.count == 1)
    }
  }
}

/// A shop that sells coins.
func shop() throws -> OnsideConfiguration {
  let text = #"{"products":[{"productID":"coins","type":"Consumable","displayPrice":"0.99","referenceName":"Coins"}]}"#
  return OnsideConfiguration(try StoreKitConfiguration(data: Data(text.utf8)))
}
