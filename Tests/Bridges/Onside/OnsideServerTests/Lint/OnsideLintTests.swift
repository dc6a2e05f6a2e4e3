import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import OnsideKit
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

/// Each rule for `window.onside` is broken once, and missed by a little.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct OnsideLintTests {
  // MARK: Transactions

  @Test func `L01 is an error for an unfinished transaction when the session ends`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      try app.lint.report(LintFinding("none", "There is no such rule."))
      app.server.clock.advance(by: UnfinishedTransactions.grace)
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "L01" && app.severities("L01") == ["error"])
    }
  }

  @Test func `L01 is reported for an unfinished transaction at a relaunch`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      app.server.clock.advance(by: .seconds(2))
      app.server.session.relaunch()
      #expect(try app.found == "L01")
    }
  }

  @Test func `L01 is a warning after 30 seconds of the session's clock`() async throws {
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

  @Test func `L01 findings name the call of their own transaction`() async throws {
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

  @Test func `L01 is reported for a delivered transaction that is not finished`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      app.server.session.relaunch()
      _ = try await app.openShop()
      app.server.clock.advance(by: UnfinishedTransactions.grace)
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "L01")
    }
  }

  @Test func `L01 is not reported if a delivered transaction is finished or no page uses the store`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let id = try await app.buy(app.openShop())
      app.server.session.relaunch()
      try await app.server.openPage()
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().tell(.testEnds)
      let page = try await app.openShop()
      try await page.call("onside.getTransactions")
      try await page.call("onside.finishTransaction", ["id": id])
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
    }
  }

  @Test func `L01 is not reported for a transaction that is finished or was just delivered`() async throws {
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

  @Test func `L01 is not reported if a rule fails the finish`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      try app.addRule(on: "onside.finishTransaction", ["error": "unknownTransaction"])
      let page = try await app.openShop()
      _ = try await page.ask("onside.finishTransaction", ["id": app.buy(page)])
      app.server.clock.advance(by: .seconds(60))
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
    }
  }

  @Test func `L01 is excused by a rule only for the transactions that the rule failed or holds`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try app.addRule(on: "onside.finishTransaction", ["error": "unknownTransaction"], times: "once")
      _ = try await page.ask("onside.finishTransaction", ["id": app.buy(page)])
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
      try app.addRule(on: "onside.finishTransaction", ["gate": "g"], times: "once")
      let id = try await app.buy(page)
      let finishing = Task { try await page.call("onside.finishTransaction", ["id": id]) }
      _ = try await app.server.journal.first(.decision, action: "onside.finishTransaction", page: "page-1")
      #expect(await becomesTrue { (try? app.server.launch())?.rules.holds.count == 1 })
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
      #expect(try app.server.launch().rules.openGate("g") == .opened(1))
      _ = try await finishing.value
      _ = try await app.buy(page)
      app.server.clock.advance(by: .seconds(2))
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "L01")
    }
  }

  @Test func `L04 is reported for a purchase of a product that no page has loaded`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      #expect(try app.found == "L04")
    }
  }

  @Test func `L04 is not reported if another page loaded the product or a rule failed the loading`() async throws {
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

  @Test func `L04 is excused by a rule only for the products whose loading it failed`()
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
  func `L04 is not excused by a rule that only delays calls`(function: String) async throws {
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

  @Test func `L05 is reported for finishing a transaction that is purchasing`() async throws {
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

  @Test func `L05 and L06 are not reported for finishing an ended or unknown transaction`() async throws {
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

  @Test func `L06 is reported for finishing by the order's or the product's id`() async throws {
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

  @Test func `L08 is reported for a reloaded page that does not read the queue`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let first = try await app.openShop()
      _ = try await app.buy(first)
      try await app.openShop().close()
      #expect(await becomesTrue { (try? app.found) == "L08" })
    }
  }

  @Test func `L08 is not reported if the page reads the queue, uses nothing, or the queue is empty`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = try await app.openShop()
      try await app.openShop().call("onside.getCurrentStorefront")
      _ = try await app.buy(page)
      try await app.openShop().call("onside.getTransactions")
      try await app.server.openPage()
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
    }
  }

  @Test func `L01 is reported at the end of all, however short ago the transaction has ended`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
      let summary = await app.server.footbridge.concludeLint()
      #expect(summary.errorCount == 1 && summary.lines.first?.hasPrefix("L01 error") == true)
    }
  }

  @Test func `a deleted session has its unfinished transaction in the sum`() async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      _ = try await app.buy(app.openShop())
      try await app.server.sessions.delete(try app.server.launch())
      #expect(await app.server.footbridge.concludeLint().errorCount == 1)
    }
  }

  @Test(arguments: ["finishTransaction", "loadProducts"])
  func `the consequences of an error that a setting makes once are not the page's mistakes`(call: String) async throws {
    try await LintedApp.run { app in
      try app.signIn("eva")
      let page = call == "loadProducts" ? try await app.server.openPage() : try await app.openShop()
      let onside = try #require(app.server.launch().onside)
      let failure = call == "loadProducts" ? "connectionError" : "unknownTransaction"
      let failing = try #require(OnsideCall(rawValue: call))
      try onside.settings.set(OnsideCallBehaviour(error: failure, once: true), for: failing)
      if call == "loadProducts" {
        _ = try await page.ask("onside.loadProducts", ["productIdentifiers": ["coins"]])
        _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      } else {
        _ = try await page.ask("onside.finishTransaction", ["id": app.buy(page)])
      }
      // The page has not caught it, and the setting is gone.
      try await app.reports(page, ["seen": "uncaught", "code": .string(failure)])
      #expect(onside.settings[failing].isUsual)
      #expect(await app.server.footbridge.concludeLint().errorCount == 0)
      #expect(try app.found == "")
      // The next one is.
      if call == "loadProducts" {
        _ = try await page.ask("onside.purchase", ["productIdentifier": "others"])
        #expect(try app.found == "L04")
      }
    }
  }

  @Test func `L10 waits a second, since a page may catch a rejection late`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      for number in ["1", "2"] {
        _ = try await page.ask("onside.finishTransaction", ["id": "nothing"])
        try await app.reports(page, ["seen": "uncaught", "code": "unknownTransaction", "number": .string(number)])
      }
      try await app.reports(page, ["seen": "caught", "number": "1"])
      #expect(try app.found == "")
      app.server.clock.advance(by: UncaughtRejections.timeout)
      #expect(await becomesTrue { (try? app.found) == "L10" })
    }
  }

  @Test(arguments: [false, true])
  func `L10 is reported at once if the page ends, or all is over`(pageEnds: Bool) async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      _ = try await page.ask("onside.finishTransaction", ["id": "nothing"])
      try await app.reports(page, ["seen": "uncaught", "code": "unknownTransaction", "number": "1"])
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "")
      if pageEnds {
        page.close()
        #expect(await becomesTrue { (try? app.found) == "L10" })
      } else {
        try app.server.launch().tell(.runEnds)
        #expect(try app.found == "L10")
      }
    }
  }

  // MARK: Products

  @Test func `L18 is reported for a purchase of a product loaded for another country`() async throws {
    try await LintedApp.run { app in
      try app.signIn("ada")
      let page = try await app.openShop()
      try app.signIn("eva")
      _ = try await app.buy(page)
      #expect(try app.found == "L18")
    }
  }

  @Test func `L18 is not reported if a rule dropped onStorefrontChanged`() async throws {
    try await LintedApp.run { app in
      try app.signIn("ada")
      let page = try await app.openShop()
      try app.addRule(on: "onside.onStorefrontChanged", ["drop": true])
      try app.signIn("eva")
      _ = try await app.buy(page)
      #expect(try app.found == "")
    }
  }

  @Test func `L18 is not reported if the product was loaded again or the country is the same`() async throws {
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

  @Test func `L02 is reported for transaction updates without a callback`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      for seen in ["unheard", "deaf"] {
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
      }
      #expect(try app.found == "L02")
    }
  }

  @Test func `L02 is not reported if another page may get the updates, or this one polls or uses nothing`()
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
  func `L03 is reported for a name that is nearly a callback's`(name: String, found: String) async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      try await app.reports(page, ["seen": "members", "names": [.string(name)]])
      #expect(try app.found == found)
    }
  }

  @Test func `L07 is reported for a restore without a callback for its end`() async throws {
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

  @Test func `L09 is reported for a changed storefront without a callback, if products were loaded`()
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

  @Test func `L15 is reported for a shouldContinueTransaction that does not return a boolean`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      try await app.reports(page, ["seen": "answered", "callback": "shouldContinueTransaction", "type": "undefined"])
      try await app.reports(page, ["seen": "answered", "callback": "shouldContinueTransaction"])
      #expect(try app.found == "L15")
    }
  }

  @Test func `L16 is reported for a callback that is assigned after an update was missed`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      try await app.reports(page, ["seen": "late", "callback": "onTransactionsUpdated"])
      #expect(try app.found == "")
      for seen in ["unheard", "late"] {
        try await app.reports(page, ["seen": .string(seen), "callback": "onTransactionsUpdated"])
      }
      try app.server.launch().tell(.testEnds)
      #expect(try app.found == "L16")
    }
  }

  // MARK: Calls

  @Test func `L10 is reported for an error of the host that is not caught`() async throws {
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

  @Test func `L10 is excused by a rule only for the call that it decided`() async throws {
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

  @Test func `L10 is not reported for an error of another code, of a rule or of a setting`() async throws {
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
  func `L11 to L14 are reported for events that the native kit drops or cuts`(event: [String: JSONValue], found: String)
    async throws
  {
    try await LintedApp.run { app in
      try await app.server.openPage().call("onside.trackEvent", event)
      #expect(try app.found == found)
    }
  }

  @Test func `L14 is reported for null as account token, not for none or a text`() async throws {
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

  @Test func `L17 is reported for a restore before the first user gesture`() async throws {
    try await LintedApp.run { app in
      let page = try await app.openShop()
      #expect(try app.found == "")
      try await app.reports(page, ["seen": "unasked"])
      #expect(try app.found == "L17" && app.severities("L17") == ["information"])
    }
  }
}
