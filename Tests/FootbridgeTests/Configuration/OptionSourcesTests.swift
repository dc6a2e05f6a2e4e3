import OnsideKit
import Testing
import WebServer

@testable import Footbridge
@testable import Sessions

@Suite struct OptionSourcesTests {
  @Test func `options have defaults if nothing is set`() throws {
    let options = try OptionSources(flags: [:], environment: [:]).options()
    #expect(options.host == "127.0.0.1")
    #expect(options.port == 8080)
    #expect(options.root == nil)
    #expect(options.present == .page)
    #expect(options.platform == .ios)
  }

  @Test func `a flag overrides a variable, and a variable overrides the file`() throws {
    let file = try OptionFile(path: "f.yaml", text: "port: 1\nhost: file\nsiteOrigin: https://file.example\n")
    let environment = ["FOOTBRIDGE_PORT": "2", "FOOTBRIDGE_HOST": "variable"]
    let options = try OptionSources(flags: [.port: "3"], environment: environment, file: file).options()
    #expect(options.port == 3)
    #expect(options.host == "variable")
    #expect(options.siteOrigin?.description == "https://file.example")
  }

  @Test(arguments: ServerOption.all)
  func `each option has a flag, a variable and a key of the same name`(option: ServerOption) throws {
    let words = option.flagName.split(separator: "-").map(String.init)
    #expect(option.flag == "--" + option.flagName)
    #expect(option.variable == "FOOTBRIDGE_" + words.map { $0.uppercased() }.joined(separator: "_"))
    let value = option.form == .flag ? "true" : "1"
    #expect(OptionSources(flags: [option: value], environment: [:])[option]?.source == option.flag)
    #expect(OptionSources(flags: [:], environment: [option.variable: value])[option]?.source == option.variable)
    // The file cannot name itself.
    guard let key = option.key else { return #expect(option == .config) }
    #expect(key.lowercased() == words.joined())
    let file = try OptionFile(path: "f.yaml", text: "\(key): \(value)")
    #expect(OptionSources(flags: [:], environment: [:], file: file)[option]?.source == "\(key) in f.yaml")
  }

  @Test func `the dashboard takes a free port unless it is given one, or is switched off`() throws {
    #expect(try OptionSources(flags: [:], environment: [:]).options().dashboardPort == 0)
    #expect(try OptionSources(flags: [.dashboardPort: "4000"], environment: [:]).options().dashboardPort == 4000)
    #expect(try OptionSources(flags: [.dashboardPort: "off"], environment: [:]).options().dashboardPort == nil)
    let file = try OptionFile(path: "f.yaml", text: "dashboardPort: off")
    #expect(try OptionSources(flags: [:], environment: [:], file: file).options().dashboardPort == nil)
    for value in ["65536", "-1", "on"] {
      #expect(throws: OptionError.self) {
        try OptionSources(flags: [.dashboardPort: value], environment: [:]).options()
      }
    }
  }

  @Test func `an IPv6 address may be in brackets`() throws {
    #expect(try OptionSources(flags: [.host: "[::1]"], environment: [:]).options().host == "::1")
    #expect(try OptionSources(flags: [.host: "::1"], environment: [:]).options().host == "::1")
  }

  @Test func `there is no state folder if any source sets ephemeral`() throws {
    #expect(try OptionSources(flags: [.ephemeral: "true"], environment: [:]).options().state == nil)
    #expect(try OptionSources(flags: [:], environment: ["FOOTBRIDGE_EPHEMERAL": "true"]).options().state == nil)
    let file = try OptionFile(path: "f.yaml", text: "ephemeral: true")
    #expect(try OptionSources(flags: [:], environment: [:], file: file).options().state == nil)
    #expect(
      try OptionSources(flags: [:], environment: ["FOOTBRIDGE_EPHEMERAL": "false"], file: file).options().state != nil)
  }

  @Test func `state and ephemeral override each other by the order of the sources`() throws {
    let ephemeral = try OptionFile(path: "f.yaml", text: "ephemeral: true")
    let stored = try OptionFile(path: "f.yaml", text: "state: stored")
    #expect(try OptionSources(flags: [.state: "mine"], environment: [:], file: ephemeral).options().state == "mine")
    #expect(
      try OptionSources(flags: [:], environment: ["FOOTBRIDGE_EPHEMERAL": "true"], file: stored).options().state == nil)
    let both = try OptionFile(path: "f.yaml", text: "ephemeral: true\nstate: stored")
    for (sources, names) in [
      (OptionSources(flags: [.state: "a", .ephemeral: "true"], environment: [:]), ["--state", "--ephemeral"]),
      (OptionSources(flags: [:], environment: [:], file: both), ["state in f.yaml", "ephemeral in f.yaml"]),
    ] {
      let error = #expect(throws: OptionError.self) { try sources.options() }
      for name in names { #expect(error?.description.contains(name) == true) }
    }
  }

  @Test func `a folder and a route for all of its paths are an error`() throws {
    let file = try OptionFile(path: "f.yaml", text: "root: site\nroutes: {/: 'http://localhost:1'}\n")
    let error = #expect(throws: OptionError.self) {
      try OptionSources(flags: [:], environment: [:], file: file).options()
    }
    #expect(error?.description.contains("root in f.yaml") == true && error?.description.contains("routes") == true)
    let parts = try OptionFile(path: "f.yaml", text: "root: site\nroutes: {/api: 'http://localhost:1'}\n")
    #expect(try OptionSources(flags: [:], environment: [:], file: parts).options().root == "site")
  }

  @Test func `spa and watch need a folder`() throws {
    let file = try OptionFile(path: "f.yaml", text: "root: site\nspa: true\nwatch: true\n")
    let options = try OptionSources(flags: [:], environment: ["FOOTBRIDGE_WATCH": "false"], file: file).options()
    #expect(options.isSinglePage)
    #expect(!options.watchesRoot)
    for name in [ServerOption.spa, .watch] {
      let error = #expect(throws: OptionError.self) {
        try OptionSources(flags: [name: "true"], environment: [:]).options()
      }
      #expect(error?.description.contains("--root") == true)
    }
  }

  @Test func `root and proxy in the same source are an error`() throws {
    let file = try OptionFile(path: "f.yaml", text: "root: site\nproxy: http://localhost:1\n")
    let both = [ServerOption.root: "site", .proxy: "http://localhost:1"]
    let variables = ["FOOTBRIDGE_ROOT": "site", "FOOTBRIDGE_PROXY": "http://localhost:1"]
    for (sources, names) in [
      (OptionSources(flags: both, environment: [:]), ["--root", "--proxy"]),
      (OptionSources(flags: [:], environment: variables), ["FOOTBRIDGE_ROOT", "FOOTBRIDGE_PROXY"]),
      (OptionSources(flags: [:], environment: [:], file: file), ["root in f.yaml", "proxy in f.yaml"]),
    ] {
      let error = #expect(throws: OptionError.self) { try sources.options() }
      for name in names { #expect(error?.description.contains(name) == true) }
    }
  }

  @Test func `the first source that names a site decides which one is served`() throws {
    let file = try OptionFile(path: "f.yaml", text: "root: site\nspa: true\nwatch: true\n")
    let proxied = try OptionSources(flags: [.proxy: "http://localhost:1"], environment: [:], file: file).options()
    #expect(proxied.root == nil && proxied.proxy == "http://localhost:1")
    #expect(!proxied.isSinglePage && !proxied.watchesRoot)
    let variables = ["FOOTBRIDGE_PROXY": "http://localhost:1"]
    let served = try OptionSources(flags: [.root: "other"], environment: variables, file: file).options()
    #expect(served.root == "other" && served.proxy == nil && served.isSinglePage)
    let error = #expect(throws: OptionError.self) {
      try OptionSources(flags: [.spa: "true"], environment: variables, file: file).options()
    }
    #expect(error?.description.contains("--spa") == true)
  }

  @Test func `the onside section adds accounts, countries, settings and calls`() throws {
    let file = try OptionFile(
      path: "f.yaml",
      text: """
        onsideContract: "1.3"
        onside:
          systemRegion: deu
          bundleIdentifier: com.example.shop
          accounts: [{ email: eva@example.com, country: ESP }]
          products: { a: { icon: /a.png, countries: { fr: { price: "1.20", currency: EUR }, US: { available: false } } } }
          loginMethods: [{ id: code, kind: sms }]
          paymentMethods: [{ id: visa, label: Visa }]
          settings: { askToBuy: true, timeRate: 6, storefront: FRA, locale: fr_FR, refererUrl: "https://r.example/" }
          calls: { purchase: { error: loginDiscarded, delay: 5, once: true } }
        """
    )
    var configuration = OnsideConfiguration()
    try OptionSources(flags: [:], environment: [:], file: file).apply(to: &configuration)
    #expect(configuration.settings.contract == .version1_3)
    #expect(configuration.systemRegion == "DE")
    #expect(configuration.bundleIdentifier == "com.example.shop")
    #expect(configuration.accounts.map(\.countryCode) == ["ES"])
    #expect(configuration.accounts.map(\.id) == ["eva@example.com"])
    #expect(configuration.regionalTerms["a"]?["FR"]?.price?.description == "1.2")
    #expect(configuration.regionalTerms["a"]?["US"]?.isAvailable == false)
    #expect(configuration.iconURLs == ["a": "/a.png"])
    #expect(configuration.loginMethods.map(\.id) == ["code"])
    #expect(configuration.paymentMethods.map(\.label) == ["Visa"])
    #expect(configuration.settings.askToBuyEnabled)
    #expect(configuration.settings.timeRate == .oneSecondIsOneDay)
    #expect(configuration.settings.storefront == "FR")
    #expect(configuration.settings.refererURL == "https://r.example/")
    #expect(
      configuration.settings[.purchase]
        == OnsideCallBehaviour(delayMilliseconds: 5, error: "loginDiscarded", once: true))
  }

  @Test func `the limits section sets its limits and leaves the others`() throws {
    let file = try OptionFile(path: "f.yaml", text: "limits: { connections: 7, messageBytes: 4096, headTimeout: 3 }")
    let limits = try OptionSources(flags: [:], environment: [:], file: file).options().limits.web
    #expect(limits.connections == 7)
    #expect(limits.webSocketMessageBytes == 4096)
    #expect(limits.headTimeout == .seconds(3))
    #expect(limits.webSocketQueueBytes == HTTPServerLimits().webSocketQueueBytes)
  }

  @Test(arguments: [
    "limits: { connections: 0 }", "limits: { connection: 1 }", "limits: { headTimeout: -1 }",
    "limits: { queueBytes: x }",
    "root: [a]", "- a", "unknown: 1", "a: [", "onside: 1", "onside: { accounts: { a: b } }",
    "onside: { calls: { purchase: { delay: -1 } } }",
    "onside: { settings: { timeRate: 7 } }", "onside: { loginMethods: [{ id: a, kind: telepathy }] }",
  ])
  func `the error about an unusable file names it`(text: String) {
    let error = #expect(throws: OptionError.self) { try OptionFile(path: "f.yaml", text: text) }
    #expect(error?.description.contains("f.yaml") == true)
  }

  private func remarks(
    _ flags: [ServerOption: String] = [:], environment: [String: String] = [:], file: String? = nil
  ) throws -> [String] {
    let file = try file.map { try OptionFile(path: "f.yaml", text: $0) }
    return OptionSources(flags: flags, environment: environment, file: file).remarks
  }

  @Test func `a key without a database and an http site origin are remarked`() throws {
    #expect(try remarks([.stateKey: "k"]) == ["--state-key has no effect: only a database in --state has a key."])
    #expect(try remarks([.stateKey: "k", .state: "postgresql://a/b"]) == [])
    #expect(try remarks(environment: ["FOOTBRIDGE_STATE_KEY": "k"]) == [])
    #expect(
      try remarks(file: "siteOrigin: http://a.example")
        == ["siteOrigin in f.yaml is http://a.example. Apps load their pages by https, and Today trusts no other page."]
    )
    #expect(try remarks([.siteOrigin: "https://a.example"]) == [])
  }

  @Test(arguments: [
    (
      "channels: { acme: {} }, name: /cmd, answers: { login: { reply: 1 } }",
      "answers in f.yaml has a reply to login, which no page gets: no message handler under channels has reply: true."
    ),
    (
      "answers: { login: { event: x } }",
      "answers in f.yaml never answers anything: the bridge has no message handler. Name one under channels, or an object under objects."
    ),
    (
      "channels: { acme: { reply: true } }, name: cmd, answers: { login: { reply: 1 } }",
      "name in f.yaml gives all messages the name cmd. For the member cmd of each message, write /cmd."
    ),
    ("channels: { acme: { reply: true } }, name: /cmd, answers: { login: { reply: 1 } }", nil),
    ("channels: { acme: {} }, name: /cmd, answers: { login: { event: x } }", nil),
    ("channels: { acme: { reply: true } }, name: login, answers: { login: { reply: 1 } }", nil),
    ("preset: cordova, answers: { login: { reply: 1 } }", nil),
    ("channels: { acme: {} }, answers: { opened: { event: x } }", nil),
  ])
  func `answers of a declared bridge that nobody gets are remarked`(bridge: String, remark: String?) throws {
    #expect(try remarks(file: "bridges: { acme: { \(bridge) } }") == (remark.map { ["bridges.acme.\($0)"] } ?? []))
  }
}
