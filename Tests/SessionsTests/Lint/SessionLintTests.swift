import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import Footbridge
@testable import Sessions

/// What becomes of findings.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct SessionLintTests {
  @Test func `lint rules have unique ids and complete texts`() {
    let rules = BridgeList().all.flatMap(\.lintRules)
    #expect(Set(rules.map(\.id)).count == rules.count)
    for rule in rules {
      for text in [rule.title, rule.contract, rule.section, rule.advice] { #expect(text.count > 5, "\(rule.id)") }
      #expect(rule.contract.hasSuffix(".") && rule.advice.hasSuffix("."), "\(rule.id)")
    }
  }

  @Test func `a finding is recorded in the journal with its call as cause`() async throws {
    try await LintedApp.run { app in
      _ = try await app.server.openPage().ask("onside.purchase", ["productIdentifier": "coins"])
      let entry = try await app.server.journal.first(.lint, action: "L04", page: "page-1")
      let call = try #require(app.server.journal.entries.first { $0.action == "onside.purchase" })
      #expect(entry.cause == call.cursor && entry.data?["severity"] == "error")
      #expect(try app.lint.json["errors"] == 1)
    }
  }

  @Test func `a finding's line has the call, the contract's rule and section, and the advice`() async throws {
    try await LintedApp.run { app in
      _ = try await app.server.openPage().ask("onside.purchase", ["productIdentifier": "coins"])
      let call = try #require(app.server.journal.entries.first { $0.action == "onside.purchase" })
      let rule = try #require(try app.lint.rules["L04"])
      let line =
        "L04 error: purchase of coins, which loadProducts has not returned in this launch. "
        + "(#\(call.cursor) onside.purchase, page-1) \(rule.contract) (\(rule.section)) \(rule.advice)"
      #expect(try app.lint.errorLines == [line])
    }
  }

  @Test(arguments: BridgeList().all.flatMap(\.lintRules))
  func `the text of each lint rule fits into a log line`(rule: LintRule) {
    #expect(rule.inWords.count + 200 < PageLog.textLimit)
  }

  @Test func `a repeated finding is counted, and recorded a limited number of times`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      for _ in 0..<15 { try await page.call("onside.trackEvent", ["name": "1"]) }
      #expect(try app.found == "L11x15")
      #expect(app.server.journal.entries.filter { $0.kind == .lint }.count == SessionLint.toldLimit)
      #expect(try app.lint.json["errors"] == 15)
    }
  }

  @Test func `an error of a lint rule is reported after any number of its warnings`() async throws {
    try await LintedApp.run { app in
      for number in 0..<15 { try app.lint.report(LintFinding("L01", severity: .warning, "late \(number)")) }
      try app.lint.report(LintFinding("L01", "never"))
      #expect(try app.lint.errorLines.count == 1)
      #expect(app.server.journal.entries.filter { $0.kind == .lint }.last?.data?["severity"] == "error")
    }
  }

  @Test func `a page's reports to the linter are cut and limited`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      let long = String(repeating: "x", count: 5_000)
      try await app.reports(
        page, ["seen": "members", "names": .array([.string("onTransactionUpdated" + long), 1, .null])])
      try await app.reports(page, [:])
      try await app.reports(page, ["seen": .string(long), "callback": .string(long)])
      for _ in 0..<250 { try await app.reports(page, ["seen": "unasked"]) }
      #expect(try app.found == "L17x197")
      try await page.call("onside.trackEvent", ["name": .string("$$" + long)])
      let about = try app.lint.json["findings"]?.arrayValue?.compactMap { $0["about"]?.stringValue?.count } ?? []
      #expect(about.allSatisfy { $0 <= SessionLint.textLimit + 1 })
    }
  }

  @Test func `an expected finding is not an error, and is missing if it does not occur`()
    async throws
  {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      for rule in ["L04", "L11", "L12"] { try app.lint.expect(rule) }
      try await page.call("onside.trackEvent", ["name": "1"])
      let json = try app.lint.json
      #expect(json["errors"] == 0 && json["missing"] == ["L12"] && json["expected"] == ["L04", "L11", "L12"])
      #expect(try app.lint.errorLines.isEmpty)
    }
  }

  @Test func `lint rules that are switched off report nothing`() async throws {
    try await LintedApp.run("lint: { L04: off, L11: on }") { app in
      let page = try await app.server.openPage()
      _ = try await page.ask("onside.purchase", ["productIdentifier": "coins"])
      try await page.call("onside.trackEvent", ["name": "1"])
      #expect(try app.found == "L11" && app.lint.json["silenced"] == ["L04"])
    }
    try await LintedApp.run("lint: off") { app in
      try await app.server.openPage().call("onside.trackEvent", ["name": "1"])
      #expect(try app.found == "")
    }
  }

  @Test(arguments: [
    ("lint: { L4: off }", "lint in footbridge.yaml names L4, and the linter has no such rule. Did you mean L04?"),
    ("lint: { L04: quiet }", "lint.L04 in footbridge.yaml must be on or off."),
  ])
  func `the error about an unknown lint rule names the nearest one`(file: String, error: String) {
    let thrown = #expect(throws: OptionError.self) { try OptionFile(path: "footbridge.yaml", text: file) }
    #expect(thrown?.description.hasPrefix(error) == true, "\(thrown?.description ?? "")")
  }

  @Test func `findings survive a relaunch, and errors of ended sessions are counted`() async throws {
    try await LintedApp.run { app in
      try await app.server.openPage().call("onside.trackEvent", ["name": "1"])
      app.server.session.relaunch()
      #expect(try app.found == "L11")
      let session = try app.server.launch()
      try await app.server.sessions.delete(session)
      let summary = await app.server.footbridge.concludeLint()
      #expect(
        summary.errorCount == 1 && summary.lines.first?.hasPrefix("L11 error: 1: rejected name: malformed. (#") == true)
    }
  }
}
