import BridgeCore
import Cryptography
import Essentials
import OnsideKit
import Sessions
import Testing

@testable import Footbridge

/// Mistakes in footbridge.yaml prevent the start: each key of each section, with each wrong type.
///
/// They read thousands of files, and leave the thread to other tests after each few.
///
/// The samples name every key that the reader knows. A test asks the reader for its keys, so that a new one needs a sample.
@Suite struct MistakesTests {
  /// Files that are right, which together have every key. In a text, FOLDER is the folder of the files that they name, and
  /// PRIVATE-KEY a key.
  static let samples = [
    // The options.
    """
    root: site
    spa: true
    watch: true
    exclude: [/api/*]
    requestHeader: { X-One: a }
    responseHeader: { X-Two: b }
    accessLog: access.log
    har: traffic.har
    catalog: Products.storekit
    host: 127.0.0.1
    port: 8080
    tlsPort: 8443
    tlsCert: cert.pem
    tlsKey: key.pem
    dashboardPort: 8081
    siteOrigin: https://shop.example
    allowHost: [shop.example]
    allowOrigin: [https://shop.example]
    trustedProxy: [10.0.0.0/8]
    platform: ios
    framedApp: true
    like: ios-26
    likeReportOnly: true
    onsideContract: docs
    present: auto
    device:
      state: background
      orientation: portrait
      size: { width: 390, height: 844 }
      safeArea: { top: 59, right: 0, bottom: 34, left: 0 }
      colorScheme: dark
      textSize: 120
      languages: [de-AT]
      keyboardHeight: 0
      network: { offline: false, latency: 0, bytesPerSecond: 50000 }
    launch:
      headers: { X-App: "3.1" }
      firstHeaders: { X-Start: push }
      cookies: [{ name: sid, value: a, path: /, httpOnly: true, secure: true, sameSite: Lax, maxAge: 60 }]
      localStorage: { theme: dark }
      sessionStorage: { visit: one }
      window: { app: {} }
      hash: "#a"
      telegram: { botToken: t, user: {}, startParam: a, chatType: b, chatInstance: c, queryId: d, signature: e, version: "8.0", platform: ios }
      vk: { secretKey: k, parameters: { vk_user_id: "1" } }
      line: { channelId: "1", channelSecret: s, user: {} }
    scenario: s
    scenarios: { s: [] }
    seed: 1
    controlToken: abc
    openMetrics: true
    state: state
    stateKey: state.key
    replicaAddress: http://10.0.0.1:8080
    replicaLease: 10
    import: session.json
    exportOnExit: exports
    drainTimeout: 5
    eventLoop: auto
    logLevel: info
    """,
    """
    launch: { line: { channelId: "1", privateKey: "PRIVATE-KEY" } }
    """,
    """
    proxy: http://127.0.0.1:3000
    proxyTimeout: 30
    proxyHost: upstream
    proxyRewriteLinks: true
    proxyInsecure: true
    proxyHttp1: true
    ephemeral: true
    controlTokenFile: token
    routes: { /api: "http://127.0.0.1:4000" }
    """,
    "{ site: ['https://shop.example=http://127.0.0.1:3000'], onlySites: true, siteToken: abc }",
    // The sections.
    """
    limits:
      connections: 100
      headBytes: 65536
      urlBytes: 8192
      headTimeout: 20
      keepAliveTimeout: 75
      transferTimeout: 60
      messageBytes: 65536
      messagesPerSecond: 100
      queueBytes: 65536
      totalBytes: 65536
      idleSessions: 100
      sessionIdleTimeout: 100
      storedSessionTimeout: 100
      pagesPerSession: 10
      tunnels: 10
      tunnelIdleTimeout: 10
      openCalls: 10
      openCallBytes: 65536
      journalBytes: 65536
      callBytes: 65536
      messageValues: 100
      upstreamSilence: 5
      upstreamPingTimeout: 5
      transactions: 10
      orders: 10
    """,
    "{ lint: { L08: off }, app: { name: Daylight, icon: FOLDER/icon.png } }",
    """
    onside:
      enabled: true
      roundTrip: 50
      accounts: [{ id: eva, name: Eva, email: eva@example.com, country: ES, family: home }]
      products:
        com.example.coins:
          icon: /coins.png
          countries: { ES: { price: "10.99", currency: EUR, available: true } }
      systemRegion: DE
      bundleIdentifier: com.example.app
      loginMethods: [{ id: apple, label: Apple, kind: federated }]
      paymentMethods: [{ id: card, label: Card }]
      settings:
        failTransactions: false
        askToBuy: false
        interruptedPurchases: false
        disableDialogs: false
        billingGracePeriod: false
        renewalBillingIssues: false
        localTesting: false
        timeRate: 0
        gracePeriodSeconds: 100
        billingRetrySeconds: 100
        storefront: ES
        locale: en_US
        refererUrl: https://example.com
      calls: { loadProducts: { delay: 300, error: connectionError, once: true } }
      merchant: { id: m, secret: 0123456789abcdef0123456789abcdef, keyId: k, clockSkew: 5 }
      notifications: { url: "https://example.com/n", timeout: 10 }
      world: family
    """,
    """
    today:
      enabled: true
      refreshDelay: 50
      signedIn: true
      feedExtraHeaders: { X-Feed: a }
      headersRenewToken: true
      trustedOrigins: [https://today.example]
      trustedPaths: [/feed]
      token: { lifetime: 3600, claims: { role: a } }
      track: { url: "https://example.com/t", key: k }
      identity: { uid: u, did: d, sid: s, tz: Europe/Berlin, ctx: { a: b } }
    """,
    """
    today:
      token:
        url: https://example.com/token
        refreshToken: r
        clientId: c
        clientSecret: s
        clientAuthentication: client_secret_basic
        scope: a
        audience: b
    """,
    """
    gbg:
      enabled: true
      captureDelay: 50
      hostVersion: "1.0"
      capabilities:
        nfc.read: { supported: true, version: "1.0", constraints: { a: 1 }, permissionState: granted }
        location: true
      answers:
        nfc.read: { status: success, data: { a: 1 }, delay: 10 }
        nfc.fail: { error: { code: BUSY, message: Busy, recoverable: true } }
        nfc.refuse: { error: BUSY }
      pending: [slow.action]
      capture: { document: { cancel: by hand }, selfie: fail }
      delivery: { function: GBGBridge.receive, event: gbg, bootstrap: FOLDER/script.js, as: object }
    """,
    "{ gbg: { capture: { document: { file: FOLDER/icon.png } } } }",
    "{ gbg: { capture: { document: { error: { code: BUSY, message: Busy, recoverable: true } } } } }",
    """
    bridges:
      acme:
        enabled: true
        pages: [/app/*]
        frames: main
        channels: { one: { reply: true, text: true }, two: { reply: json } }
        name: [[channel, /pluginId], /type, { before: ":", of: /text }, message]
        secret: [pin]
        scripts: [{ file: FOLDER/script.js, at: start }, { text: "1", at: end }]
        userAgent: Acme
        launch: { hash: a, localStorage: { a: b }, sessionStorage: { a: b } }
        handler: { url: "http://127.0.0.1:8090/acme", timeout: 30000, token: secret-of-the-handler }
        warnings: [check this]
        windows: tab
        answers:
          opened: [{ call: app.ready, args: [1], delay: 5 }, { event: ready, detail: 1 }]
          login: [{ where: { id: 1 }, reply: { token: abc } }, { where: { id: 2 }, error: Not found }, { reply: 1 }]
          fail: { error: { message: Not found, code: 404 } }
          call: { call: [app, 1, go] }
    """,
    """
    bridges:
      acme:
        preset: capacitor
        options: { debug: true }
        handler: { run: [sh, FOLDER/handler.sh] }
        answers: { a: { error: { message: Not found, code: 404 } } }
    """,
    """
    bridges:
      acme:
        channels: { acme: { reply: true, decode: [json], encode: [json] } }
        decode: [{ split: "," }, { prefix: C }, json]
        encode: [json, { prefix: C }]
        objects:
          Host:
            getItem: { now: true, args: [key] }
            isReady: { returns: 1 }
            track: { message: true }
            login: { promise: true }
            version: { value: 1 }
            onHello: { event: hello }
            getUser: { callback: true }
          Session:
            new: { args: [a], now: true, members: { begin: { message: true }, number: { value: 1 } } }
        resources: { app: { folder: FOLDER }, ipc: { handler: true } }
        answers:
          page:
            - { event: message, on: port, kind: MessageEvent, data: 1, origin: "https://a.example" }
            - { event: ready, init: { bubbles: 1 } }
            - { set: acme.version, value: 1 }
          list: { store: products, products: [a, b] }
          buy: { store: purchase, product: a, offer: o, appAccountToken: t, reply: 1 }
          done: { store: finish, transaction: t }
        notices: { renewed: { call: app.renewed, args: [1] } }
    """,
    "{ bridges: { acme: { adapter: { file: FOLDER/script.js } }, other: { adapter: { text: '1' }, handler: connect } } }",
    """
    bridges: { acme: { channels: { acme: { reply: true } } } }
    scenario: s
    scenarios:
      s:
        account: built-in
        storefront: ES
        settings: { askToBuy: true }
        purchases:
          - { product: coins, account: built-in, quantity: 1, purchasedAt: 2026-01-31T12:00:00Z, finished: true,
              appAccountToken: t, offer: o }
        transactions: [{ product: coins, account: built-in, waitingFor: approval }, { product: coins, error: cancelled }]
        rules:
          - { id: r1, on: onside.purchase, bridge: onside, where: { productIdentifier: coins }, times: once,
              then: { error: loginDiscarded, delay: 5, gate: g } }
          - { on: onside.getCurrentStorefront, times: { nth: 2 }, then: { result: { id: a, countryCode: ES } } }
          - { on: onside.purchase, times: { first: 2, probability: 0.5 }, then: { delay: { from: 1, to: 2 } } }
          - { on: onside.purchase, times: { from: 2 }, then: { cutSocket: true } }
          - { on: onside.purchase, times: [1, 3], then: { kill: true } }
          - { on: onside.onTransactionsUpdated, then: { drop: true } }
          - { on: onside.onTransactionsUpdated, then: { reorder: true } }
          - { on: onside.onTransactionsUpdated, then: { double: true } }
          - { on: onside.merchantAPI, then: { error: { status: 429, retryAfter: 10 } } }
          - { on: today.refreshToken, then: { error: { message: Signed out } } }
          - { on: footbridge.sheet.login, then: { result: { approved: true, fields: { account: built-in, method: apple } } } }
          - { on: footbridge.request, where: { path: /login }, then: { result: { location: "app://cb", status: 302 } } }
          - { on: footbridge.request, times: always, then: { delay: 5, gate: g, cutSocket: true } }
          - { on: nfc.read, then: { status: success, result: { a: 1 } } }
          - { on: nfc.read, then: { error: { code: BUSY, message: Busy, recoverable: true } } }
          - { on: nfc.read, then: { unknownId: true } }
          - { on: nfc.read, then: { raw: a } }
          - { on: acme.login, then: { result: { a: 1 } } }
          - { on: acme.login, then: { error: { message: Not found, code: a } } }
    """,
  ]

  /// The smallest PNG.
  private static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  /// A type of values, and values in YAML that do not have it.
  private enum Kind {
    case text, number, flag, anything, list, mapping

    var wrong: [String] {
      switch self {
      case .text: ["~", "true", "[]", "{}", "[a]", "{ zzz: 1 }", "!form x", "!!binary YQ==", "!!int x"]
      case .number: ["~", "true", "x", "[]", "{}", "[1]", "{ zzz: 1 }", "!form 7", ".inf", "1_0", "-99999999999"]
      case .flag: ["~", "yes", "x", "1", "[]", "{}", "[true]", "{ zzz: 1 }", "!form true"]
      case .anything: ["!form x", "!!binary YQ==", "[!form x]", "{ zzz: !form x }"]
      case .list: ["~", "true", "{ zzz: 1 }", "!form [a]"]
      case .mapping: ["~", "true", "7.5", "[1]", "!form {}"]
      }
    }
  }

  private static func kind(of node: SampleNode, at place: SampleNode.Place) -> Kind {
    if anything.contains(where: { place.text.hasPrefix($0) }) { return .anything }
    switch node {
    case .list: return .list
    case .mapping: return .mapping
    case .value("true"), .value("false"): return .flag
    case .value(let text): return text.hasPrefix("\"") ? .text : .number
    }
  }

  /// Places where any value of JSON can be.
  private static let anything = [
    "bridges.acme.objects.Host.isReady.returns", "bridges.acme.objects.Host.version.value",
    "bridges.acme.objects.Session.new.members.number.value",
    "bridges.acme.answers.page[].data", "bridges.acme.answers.page[].init.", "bridges.acme.answers.page[].value",
    "bridges.acme.answers.buy.reply", "bridges.acme.notices.renewed.args[]",
    "bridges.acme.answers.opened[].args", "bridges.acme.answers.opened[].detail", "bridges.acme.answers.login[].reply",
    "bridges.acme.answers.login[].where", "bridges.acme.answers.fail.error.code", "bridges.acme.answers.a.error.code",
    "bridges.acme.options.", "today.token.claims.", "today.identity.ctx.", "gbg.answers.nfc.read.data.",
    "gbg.capabilities.nfc.read.constraints.", "scenarios.s.rules[].then.raw", "scenarios.s.rules[].then.result.a",
    "scenarios.s.rules[].then.error.code",
  ]

  /// Values that are right at a place, although they have another type than the one of the sample.
  private static let right: [String: Set<String>] = [
    // A text as it is written, and any JSON.
    "device.orientation": ["~"], "device.size": ["~"], "device.safeArea": ["~"], "device.colorScheme": ["~"],
    "device.textSize": ["~"], "device.languages": ["~"], "device.keyboardHeight": ["~"], "device.network": ["~"],
    "device.network.bytesPerSecond": ["~"],
    "launch.headers.X-App": ["true"], "launch.firstHeaders.X-Start": ["true"], "launch.cookies[].value": ["true"],
    "launch.localStorage.theme": ["true"], "launch.sessionStorage.visit": ["true"],
    "launch.window.app": ["~", "true", "7.5", "[1]"], "launch.vk.parameters.vk_user_id": ["true"],
    // The usual value.
    "bridges.acme.channels.acme": ["~"], "bridges.acme.channels.one": ["~"], "bridges.acme.channels.two": ["~"],
    "onside.settings.gracePeriodSeconds": ["~"], "onside.settings.billingRetrySeconds": ["~"],
    "onside.settings.refererUrl": ["~"], "onside.calls.loadProducts": ["~"], "onside.calls.loadProducts.error": ["~"],
    "today.identity.uid": ["~"], "scenarios.s.storefront": ["~"],
    // A short form.
    "gbg.capabilities.nfc.read": ["true"], "gbg.capabilities.location": ["{}"], "gbg.answers.nfc.fail.error": ["7.5"],
    "gbg.capture.document.error": ["7.5"], "scenarios.s.rules[].then.error": ["7.5"],
    "scenarios.s.rules[].times": ["[1]"], "bridges.acme.channels.two.reply": ["true"],
    "bridges.acme.answers.opened[].call": ["[a]"], "bridges.acme.answers.page[].set": ["[a]"],
    "bridges.acme.notices.renewed.call": ["[a]"],
    // Any value, in one of the rules.
    "scenarios.s.rules[].then.result": ["~", "true", "7.5", "[1]"],
    // Numbers of elements, and names of members.
    "bridges.acme.answers.call.call[]": ["x", "1_0"], "bridges.acme.name[]": ["7.5"],
    // Texts that look like other values are what is meant.
    "requestHeader.X-One": ["~", "true"], "responseHeader.X-Two": ["~", "true"],
    "bridges.acme.launch.localStorage.a": ["true"], "bridges.acme.launch.sessionStorage.a": ["true"],
    "lint": ["true"], "lint.L08": ["true"], "dashboardPort": [],
  ]

  private func load(_ yaml: String) throws {
    let file = try OptionFile(path: "footbridge.yaml", text: yaml)
    let sources = OptionSources(flags: [:], environment: [:], file: file)
    _ = try sources.options()
    var configuration = OnsideConfiguration()
    try sources.apply(to: &configuration)
    try sources.check(with: configuration)
  }

  private func withSamples(_ body: ([SampleNode]) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mistakes-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("1".utf8).write(to: folder.appendingPathComponent("script.js"))
    try Data().write(to: folder.appendingPathComponent("handler.sh"))
    try #require(Data(base64Encoded: Self.image)).write(to: folder.appendingPathComponent("icon.png"))
    try await body(
      Self.samples.map { text in
        let key = String(decoding: P256Key().pem, as: UTF8.self).replacing("\n", with: "\\n")
        let text = text.replacing("FOLDER", with: folder.path).replacing("PRIVATE-KEY", with: key)
        return try SampleNode(try #require(try InputNode.yaml(text, file: "footbridge.yaml")))
      })
  }

  private func problem(_ yaml: String) -> String? {
    do {
      try load(yaml)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `the samples are right`() async throws {
    try await withSamples { samples in
      for sample in samples { #expect(problem(sample.yaml) == nil, "\(sample.yaml.prefix(80))") }
    }
  }

  @Test func `the samples have every key that the reader knows`() async throws {
    try await withSamples { samples in
      // The keys of the samples, by the keys that the reader knows there.
      var given: [Set<String>: Set<String>] = [:]
      for sample in samples {
        for (place, node) in sample.all() {
          await Task.yield()
          guard case .mapping(let members) = node else { continue }
          let more = SampleNode.mapping(members + [("zzz", .value("1"))])
          let problem = problem(sample.replacing(place, with: more).yaml) ?? ""
          // Of the file itself, the error lists only the sections. Bridges have samples of their own.
          let listed =
            place.steps.isEmpty ? Set(OptionFile.keys(BridgeList())).subtracting(["onside", "today", "gbg"]) : nil
          let parts = problem.split(separator: "has an unknown key, zzz. Known are: ")
          guard listed != nil || parts.count == 2 else { continue }
          let known = listed ?? Set(parts[1].dropLast().split(separator: ", ").map(String.init))
          given[known, default: []].formUnion(members.map(\.name))
        }
      }
      #expect(given.count > 40)
      for (known, given) in given { #expect(known.subtracting(given).sorted() == [], "keys without a sample") }
    }
  }

  @Test func `a value of a wrong type prevents the start, and the error names its place and what belongs there`()
    async throws
  {
    var count = 0
    var accepted: [String] = []
    var vague: [String] = []
    try await withSamples { samples in
      for sample in samples {
        for (place, node) in sample.all() where !place.steps.isEmpty {
          await Task.yield()
          let right = Self.right[place.text] ?? []
          for wrong in Self.kind(of: node, at: place).wrong {
            count += 1
            guard let problem = problem(sample.replacing(place, with: .value(wrong)).yaml) else {
              if !right.contains(wrong) { accepted.append("\(place.text): \(wrong)") }
              continue
            }
            let saysWhatBelongs = [" must ", "has an unknown key, ", " Use ", " Check the path."].contains {
              problem.contains($0)
            }
            let namesPlace =
              problem.contains("footbridge.yaml") && (right.contains(wrong) || problem.contains(place.name))
            if !saysWhatBelongs || !namesPlace || problem.contains("Optional(") {
              vague.append("\(place.text): \(wrong): \(problem)")
            }
          }
        }
      }
    }
    #expect(accepted == [])
    #expect(vague == [])
    #expect(count > 2000)
  }

  @Test func `a misspelled key of each section is answered with the right one`() async throws {
    var count = 0
    var unanswered: [String] = []
    try await withSamples { samples in
      for sample in samples {
        for (place, node) in sample.all() {
          await Task.yield()
          guard case .mapping(let members) = node else { continue }
          for (index, (name, value)) in members.enumerated() {
            var misspelled = members
            // With another letter at its end, product is as near to products.
            let wrong = "\(name.prefix(1))\(name)"
            misspelled[index] = (wrong, value)
            let problem = problem(sample.replacing(place, with: .mapping(misspelled)).yaml) ?? ""
            // Some mappings have names of the project's own. Elsewhere, the key that is missing may be noted first.
            guard problem.contains("has an unknown key, \(wrong)") else { continue }
            count += 1
            if !problem.contains("Did you mean \(name)?") { unanswered.append("\(place.text).\(name): \(problem)") }
          }
        }
      }
    }
    #expect(unanswered == [])
    #expect(count > 200)
  }
}
