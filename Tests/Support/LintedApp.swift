import BridgeCore
import BridgeRuntime
import Essentials
import FootbridgeTesting
import OnsideKit
import Testing

@testable import BridgeServer
@testable import Cluster
@testable import DeclaredServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer

/// A server whose linter a test looks at.
@BridgeActor
struct LintedApp {
  let server: TestServer

  /// Runs a test with a shop that sells coins in each country and has the accounts eva (ES) and ada (DE).
  nonisolated static func run(
    _ file: String = "", _ body: @BridgeActor (LintedApp) async throws -> Void
  ) async throws {
    try await TestServer.run {
      let text = """
        onside:
          accounts:
            - { id: eva, email: eva@example.com, country: ES }
            - { id: ada, email: ada@example.com, country: DE }
        """
      let file = try OptionFile(path: "footbridge.yaml", text: text + "\n" + file)
      let sources = OptionSources(flags: [:], environment: [:], file: file)
      let options = try sources.options()
      $0.bridges = options.bridges
      $0.silencedRules = options.silencedRules
      $0.siteOrigin = options.siteOrigin
      var store = OnsideConfiguration(try shop())
      try sources.apply(to: &store)
      $0.onside = store
      $0.present = .auto
    } _: {
      try await body(LintedApp(server: $0))
    }
  }

  private nonisolated static func shop() throws -> StoreKitConfiguration {
    let product = #"{"productID":"coins","type":"Consumable","displayPrice":"0.99","referenceName":"Coins"}"#
    return try StoreKitConfiguration(data: Data(#"{"products":[\#(product)]}"#.utf8))
  }

  var lint: SessionLint { get throws { try server.launch().lint } }

  /// The ids of the rules that have found something, with how often, such as `L04 L05x2`.
  var found: String {
    get throws {
      let counts = try lint.json["counts"]?.objectValue ?? [:]
      return counts.sorted { $0.key < $1.key }.map { id, count in
        count == 1 ? id : "\(id)x\(Int(count.numberValue ?? 0))"
      }.joined(separator: " ")
    }
  }

  /// The severities of a rule's findings.
  func severities(_ rule: String) throws -> [String] {
    (try lint.json["findings"]?.arrayValue ?? []).filter { $0["rule"]?.stringValue == rule }
      .compactMap { $0["severity"]?.stringValue }
  }

  /// Signs an account in, as a test does.
  func signIn(_ account: String) throws {
    #expect(try #require(server.launch().onside).signIn(account: account))
  }

  /// Opens a page that has loaded coins.
  func openShop() async throws -> TestPage {
    let page = try await server.openPage()
    try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
    return page
  }

  /// Has a page buy coins, and returns the id of the transaction once it is purchased.
  func buy(_ page: TestPage) async throws -> JSONValue {
    try await page.call("onside.purchase", ["productIdentifier": "coins"])
    while true {
      let transaction = try await page.event("onside.onTransactionsUpdated").data["transactions"]?.arrayValue?.first
      if transaction?["transactionState"] == "purchased" { return try #require(transaction?["id"]) }
    }
  }

  /// Adds a rule, as a test does: `["on": …, "then": …]`.
  func addRule(on action: String, _ then: JSONValue, times: JSONValue = "always") throws {
    let session = try server.launch()
    let node = InputNode(["on": .string(action), "then": then, "times": times], source: "the body")
    _ = session.rules.add(try RuleNode(node, session.bridgeTable).rule)
  }

  /// A page's linter script reports something.
  func reports(_ page: TestPage, _ data: [String: JSONValue]) async throws {
    try await page.call("footbridge.lint", data)
  }
}
