import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import OnsideKit
import Testing

@testable import Footbridge
@testable import Sessions

/// Each rule for `window.onside` is broken once, and missed by a little.
@Suite(.timeLimit(.minutes(2))) @BridgeActor struct OnsideLintTests {
  // MARK: Transactions

  @Test func `L01: a transaction that is never finished is an error when the session ends`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      try app.lint.report(LintFinding("none", "There is no such rule."))
      app.server.clock.advance(by: UnfinishedTransactions.grace)
      try app.server.launch().concludeLint()
      #expect(try app.found == "L01" && app.severities("L01") == ["error"])
    }
  }

  @Test func `L01: a relaunch is an end, too`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      app.server.clock.advance(by: .seconds(2))
      app.server.session.relaunch()
      #expect(try app.found == "L01")
    }
  }

  @Test func `L01: after half a minute it is a warning, by the session's clock`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      app.server.clock.advance(by: .seconds(29))
      for _ in 0..<100 { await Task.yield() }
      #expect(try app.found == "")
      app.server.clock.advance(by: .seconds(1))
      #expect(await becomesTrue { (try? app.severities("L01")) == ["warning"] })
    }
  }

  @Test func `L01: each finding is about what has ended its own transaction`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      for _ in 0..<2 { _ = try await app.buy(page) }
      app.server.clock.advance(by: .seconds(30))
      #expect(await becomesTrue { (try? app.severities("L01").count) == 2 })
      let calls = try #require(app.lint.json["findings"]?.arrayValue).compactMap { $0["call"]?.numberValue }
      #expect(Set(calls).count == 2)
    }
  }

  @Test func `L01: what a launch delivers must be finished as well`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      app.server.session.relaunch()
      _ = try await app.openShop()
      app.server.clock.advance(by: UnfinishedTransactions.grace)
      try app.server.launch().concludeLint()
      #expect(try app.found == "L01")
    }
  }

  @Test func `L01: near: what a launch delivers is finished, or no page uses the store`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let id = try await app.buy(app.openShop())
      app.server.session.relaunch()
      try await app.server.openPage()
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().concludeLint()
      let page = try await app.openShop()
      try await page.call("onside.getTransactions")
      try await page.call("onside.finishTransaction", ["id": id])
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().concludeLint()
      #expect(try app.found == "")
    }
  }

  @Test func `L01: near: finished, told just now, or never told to a page`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try await page.call("onside.finishTransaction", ["id": app.buy(page)])
      app.server.clock.advance(by: .seconds(60))
      _ = try await app.buy(page)
      app.server.session.relaunch()
      #expect(try app.found == "")
    }
  }

  @Test func `L01: near: a rule of the test keeps the page from it`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      try app.addRule(on: "onside.finishTransaction", ["error": "unknownTransaction"])
      let page = try await app.openShop()
      _ = try await page.ask("onside.finishTransaction", ["id": app.buy(page)])
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().concludeLint()
      #expect(try app.found == "")
    }
  }

  @Test func `L01: a rule excuses only the transaction of its call, or those that it holds`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try app.addRule(on: "onside.finishTransaction", ["error": "unknownTransaction"], times: "once")
      _ = try await page.ask("onside.finishTransaction", ["id": app.buy(page)])
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().concludeLint()
      #expect(try app.found == "")
      try app.addRule(on: "onside.finishTransaction", ["gate": "g"], times: "once")
      let id = try await app.buy(page)
      let finishing = Task { try await page.call("onside.finishTransaction", ["id": id]) }
      _ = try await app.server.journal.first(.decision, action: "onside.finishTransaction", page: "page-1")
      #expect(await becomesTrue { (try? app.server.launch())?.rules.holds.count == 1 })
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().concludeLint()
      #expect(try app.found == "")
      #expect(try app.server.launch().rules.openGate("g") == 1)
      _ = try await finishing.value
      _ = try await app.buy(page)
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().concludeLint()
      #expect(try app.found == "L01")
    }
  }

  @Test func `L04: a purchase of a product that no page has loaded`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      #expect(try app.found == "L04")
    }
  }

  @Test func `L04: near: another page has loaded it, or a rule has failed the loading`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let first = try await app.openShop()
      try await first.call("onside.finishTransaction", ["id": app.buy(app.server.openPage())])
      try app.addRule(on: "onside.loadProducts", ["error": "connectionError"])
      _ = try await first.ask("onside.loadProducts", ["productIdentifiers": ["gems"]])
      _ = try await first.ask("onside.purchase", ["productIdentifier": "gems"])
      #expect(try app.found == "")
    }
  }

  @Test func `L04: a rule excuses only the products that it keeps from being loaded, and none that only waits`()
    async throws
  {
    try await LintedApp.run { app in
      try app.addRule(on: "onside.loadProducts", ["error": "connectionError"])
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.loadProducts", ["productIdentifiers": ["gems"]])
      _ = try await page.ask("onside.purchase", ["productIdentifier": "gems"])
      #expect(try app.found == "")
      _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      #expect(try app.found == "L04")
    }
  }

  @Test(arguments: ["loadProducts", "purchase"])
  func `L04: a rule that only delays calls excuses nothing`(function: String) async throws {
    try await LintedApp.run { app in
      try app.addRule(on: "onside.\(function)", ["delay": 10])
      let page = try await app.server.openPage()
      for (action, data) in [
        ("loadProducts", ["productIdentifiers": ["coins"]]), ("purchase", ["productIdentifier": "gems"]),
      ] as [(String, [String: JSONValue])] {
        let call = Task { try await page.ask("onside.\(action)", data) }
        if action == function {
          _ = try await app.server.journal.first(.decision, action: "onside.\(action)", page: "page-1")
          app.server.clock.advance(by: .milliseconds(10))
        }
        _ = try await call.value
      }
      #expect(try app.found == "L04")
    }
  }

  @Test func `L05: finishing while purchasing`() async throws {
    try await LintedApp.run("  settings: { interruptedPurchases: true }") { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try await page.call("onside.purchase", ["productIdentifier": "coins"])
      let update = try await page.event("onside.onTransactionsUpdated")
      let id = try #require(update.data["transactions"]?.arrayValue?.first?["id"])
      try await page.call("onside.finishTransaction", ["id": id])
      #expect(try app.found == "L05")
    }
  }

  @Test func `L05 and L06: near: finishing what has ended, by its id or a made-up one`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      let id = try await app.buy(page)
      _ = try await page.ask("onside.finishTransaction", ["id": "00000000-0000-4000-8000-000000000000"])
      try await page.call("onside.finishTransaction", ["id": .string(id.stringValue?.uppercased() ?? "")])
      _ = try await page.ask("onside.finishTransaction", ["id": id])
      #expect(try app.found == "")
    }
  }

  @Test func `L06: finishing by the order's id or the product's, before and after the end`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      let id = try await app.buy(page)
      let order = try #require(app.server.launch().onside?.state.transactions.first?.transaction.transactionIdentifier)
      _ = try await page.ask("onside.finishTransaction", ["id": .string(order)])
      _ = try await page.ask("onside.finishTransaction", ["id": "coins"])
      try await page.call("onside.finishTransaction", ["id": id])
      _ = try await page.ask("onside.finishTransaction", ["id": .string(order)])
      #expect(try app.found == "L06x3")
    }
  }

  @Test func `L08: a page that was loaded again does not read the queue`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let first = try await app.openShop()
      _ = try await app.buy(first)
      try await app.openShop().close()
      #expect(await becomesTrue { (try? app.found) == "L08" })
    }
  }

  @Test func `L08: near: the page looks, uses nothing, or nothing is in the queue`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try await app.openShop().call("onside.getCurrentStorefront")
      _ = try await app.buy(page)
      try await app.openShop().call("onside.getTransactions")
      try await app.server.openPage()
      try app.server.launch().concludeLint()
      #expect(try app.found == "")
    }
  }

  // MARK: Products

  @Test func `L18: a purchase of a product that was loaded for another country`() async throws {
    try await LintedApp.run { app in
      try app.signIn("ada")
      let page = try await app.openShop()
      try app.signIn("eva")
      _ = try await app.buy(page)
      #expect(try app.found == "L18")
    }
  }

  @Test func `L18: near: a rule has kept the page from hearing of the storefront`() async throws {
    try await LintedApp.run { app in
      try app.signIn("ada")
      let page = try await app.openShop()
      try app.addRule(on: "onside.onStorefrontChanged", ["drop": true])
      try app.signIn("eva")
      _ = try await app.buy(page)
      #expect(try app.found == "")
    }
  }

  @Test func `L18: near: loaded again, the same country, or signed out`() async throws {
    try await LintedApp.run("  systemRegion: DE") { app in
      let page = try await app.openShop()
      try app.signIn("ada")
      _ = try await app.buy(page)
      try app.signIn("eva")
      try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
      _ = try await app.buy(page)
      #expect(try app.found == "")
    }
  }

  // MARK: Callbacks

  @Test func `L02: updates of transactions that nobody hears`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      for seen in ["unheard", "deaf"] {
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
      }
      #expect(try app.found == "L02")
    }
  }

  @Test func `L02: near: another page may hear it, this one uses nothing or looks itself, or it is another callback`()
    async throws
  {
    try await LintedApp.run { app in
      let (page, idle) = try await (app.openShop(), app.server.openPage())
      for seen in ["unheard", "deaf"] {
        try await app.reports(idle, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsRemoved"])
      }
      try await app.reports(page, ["seen": "unheard", "callback": "onTransactionsUpdated"])
      try await page.call("onside.getTransactions")
      try await app.reports(page, ["seen": "deaf", "callback": "onTransactionsUpdated"])
      try await idle.call("onside.getTransactions")
      for seen in ["unheard", "deaf"] {
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
      }
      #expect(try app.found == "")
    }
  }

  @Test(arguments: [
    ("onTransactionUpdated", "L03"), ("ontransactionsupdated", "L03"), ("onStoreFrontChanged", "L03"),
    ("onTransactionsUpdated", ""), ("onPurchase", ""), ("shouldContinueTransactionAfterLogin", ""), ("render", ""),
    ("onRestoreCompletedTransactions", "L03"), ("onRestoreCompletedTransactionsFailed", "L03"),
    ("onTransactions", ""), ("onRestoreCompleted", ""),
  ])
  func `L03: a name that is nearly a callback's`(name: String, found: String) async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      try await app.reports(page, ["seen": "members", "names": [.string(name)]])
      #expect(try app.found == found)
    }
  }

  @Test func `L07: a restore whose end nobody hears; near: the page has not asked for it`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      let unheard: [String: JSONValue] = ["seen": "unheard", "callback": "onRestoreCompletedTransactionsFinished"]
      try await app.reports(page, unheard)
      #expect(try app.found == "")
      try await page.call("onside.restoreCompletedTransactions")
      try await app.reports(page, unheard)
      #expect(try app.found == "L07")
    }
  }

  @Test func `L09: a storefront with other prices that nobody hears of; near: the same country, or no products`()
    async throws
  {
    try await LintedApp.run("  systemRegion: DE") { app in
      let unheard: [String: JSONValue] = ["seen": "unheard", "callback": "onStorefrontChanged"]
      let page = try await app.server.openPage()
      try app.signIn("eva")
      try await app.reports(page, unheard)
      try #require(app.server.launch().onside).logout()
      try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
      try app.signIn("ada")
      try await app.reports(page, unheard)
      #expect(try app.found == "")
      try app.signIn("eva")
      try await app.reports(page, unheard)
      #expect(try app.found == "L09")
    }
  }

  @Test func `L15: a question that is not answered with a boolean; near: a rule has asked instead`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      try await app.reports(page, ["seen": "answered", "callback": "shouldContinueTransaction", "type": "undefined"])
      try await app.reports(page, ["seen": "answered", "callback": "shouldContinueTransaction"])
      #expect(try app.found == "L15")
    }
  }

  @Test func `L16: an observer that is assigned late; near: before anything was missed`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      try await app.reports(page, ["seen": "late", "callback": "onTransactionsUpdated"])
      #expect(try app.found == "")
      for seen in ["unheard", "late"] {
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
      }
      try app.server.launch().concludeLint()
      #expect(try app.found == "L16")
    }
  }

  // MARK: Calls

  @Test func `L10: an error of the host that nobody catches`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.finishTransaction", ["id": "a"])
      try await app.reports(page, ["seen": "uncaught", "code": "unknownTransaction"])
      #expect(try app.found == "L10")
      let finding = try #require(try app.lint.json["findings"]?.arrayValue?.first)
      let call = try #require(app.server.journal.entries.first { $0.action == "onside.finishTransaction" })
      #expect(finding["call"] == .number(Double(call.cursor)))
    }
  }

  @Test func `L10: a rule excuses only the call that it has decided`() async throws {
    try await LintedApp.run { app in
      try app.addRule(on: "onside.finishTransaction", ["error": "unknownTransaction"], times: "once")
      let page = try await app.server.openPage()
      for found in ["", "L10"] {
        _ = try await page.ask("onside.finishTransaction", ["id": "a"])
        try await app.reports(page, ["seen": "uncaught", "code": "unknownTransaction"])
        #expect(try app.found == found)
      }
    }
  }

  @Test func `L10: near: once for each error, none of another code, of a rule or of a setting`() async throws {
    try await LintedApp.run("  calls: { getAttributionMetadata: { error: connectionError } }") { app in
      try app.addRule(on: "onside.loadProducts", ["error": "internalError"])
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.loadProducts", ["productIdentifiers": ["coins"]])
      _ = try await page.ask("onside.getAttributionMetadata")
      _ = try await page.ask("onside.finishTransaction", ["id": "a"])
      for code in ["internalError", "connectionError", "loginDiscarded", ""] {
        try await app.reports(page, ["seen": "uncaught", "code": .string(code)])
      }
      #expect(try app.found == "")
    }
  }

  @Test(
    arguments: [
      (["name": "onside_mine"], "L11"), (["name": "1st"], "L11"), (["name": "mine_onside"], ""),
      (["name": "a", "parameters": ["b": .string(String(repeating: "c", count: 101))]], "L12"),
      (["name": "a", "parameters": ["b c": 1]], "L12"),
      (["name": "a", "parameters": ["b": .string(String(repeating: "c", count: 100)), "d": [1, "e", true]]], ""),
      (["name": "a", "parameters": ["b": [[1]]]], "L13"), (["name": "a", "parameters": ["b": .null]], "L14"),
      (["name": "a", "parameters": .null], "L14"), (["name": "a", "parameters": [:]], ""), (["name": "a"], ""),
    ] as [([String: JSONValue], String)])
  func `L11 to L14: events that native drops or cuts`(event: [String: JSONValue], found: String) async throws {
    try await LintedApp.run { app in
      try await app.server.openPage().call("onside.trackEvent", event)
      #expect(try app.found == found)
    }
  }

  @Test func `L14: null in place of an account token; near: none, or a text`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      for token in [nil, "a", .null] as [JSONValue?] {
        #expect(try app.found == "")
        var data: [String: JSONValue] = ["productIdentifier": "coins"]
        data["appAccountToken"] = token
        try await page.call("onside.purchase", data)
      }
      #expect(try app.found == "L14")
    }
  }

  @Test func `L17: a restore before anybody has touched the page`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      #expect(try app.found == "")
      try await app.reports(page, ["seen": "unasked"])
      #expect(try app.found == "L17" && app.severities("L17") == ["information"])
    }
  }
}
