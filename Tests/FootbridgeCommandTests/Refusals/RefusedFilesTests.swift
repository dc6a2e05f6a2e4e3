import Essentials
import Testing

@testable import FootbridgeCommand

/// Files footbridge.yaml that `footbridge serve` refuses before it listens, and the place that it names.
@Suite struct RefusedFilesTests {
  private func expect(_ text: String, isRefusedWith parts: [String], files: [String: String] = [:]) async throws {
    let failure = try #require(try await Trial.failure(ofFile: text, files: files))
    #expect(failure.code == EX_CONFIG)
    for part in ["footbridge.yaml"] + parts { #expect(failure.message.contains(part), "\(failure.message)") }
    #expect(!failure.message.contains("hidden-value"))
  }

  @Test(arguments: [
    ("- a\n", "mapping"), ("a: [\n", "YAML"), ("root: [a]\n", "root"),
    ("limits: { connections: none }\n", "limits.connections"),
  ])
  func `a file that cannot be used is refused`(text: String, part: String) async throws {
    try await expect(text, isRefusedWith: [part])
  }

  @Test(arguments: [
    "today: { token: { refreshToken: hidden-value", "today:\n  a: [hidden-value\n b: {",
    "a: hidden-value\na: hidden-value\n",
    "today: hidden-value: x", "\thidden-value", "a: *hidden",
  ])
  func `a file that is no YAML is refused without its text`(text: String) async throws {
    try await expect(text, isRefusedWith: ["is not valid YAML"])
  }

  @Test(arguments: [("root: nowhere", "root"), ("catalog: nowhere.storekit", "catalog")])
  func `an error about a path begins with the key that named it`(text: String, key: String) async throws {
    let trial = try Trial(files: ["footbridge.yaml": text])
    let config = trial.path("footbridge.yaml")
    let failure = try #require(try await trial.failure(["--ephemeral", "--config", config]))
    #expect(failure.code == EX_NOINPUT)
    #expect(failure.message.hasPrefix("\(key) in \(config): nowhere"))
  }

  @Test(arguments: [
    ("{ icon: icon.png }", "app"), ("{ name: '' }", "app.name"), ("{ name: A, icon: nowhere.png }", "app.icon"),
    ("{ name: A, icon: notes.txt }", "app.icon"), ("{ name: A, colour: red }", "an unknown key, colour"),
  ])
  func `an app section that cannot be used is refused with its place`(section: String, part: String) async throws {
    try await expect("app: \(section)", isRefusedWith: [part], files: ["notes.txt": "text"])
  }

  @Test(arguments: [
    ("scenarios: { s: [{ on: onside.purchase, then: { error: hunger } }] }", "scenarios.s[0].then.error"),
    ("scenarios: { s: { rules: [{ on: a }] } }", "scenarios.s.rules[0]"),
    ("scenarios: { s: { account: nobody } }", "scenarios.s.account"),
    (
      "scenarios: { s: [{ on: footbridge.sheet.login, then: { result: { approved: true, fields: { account: nobody } } } }] }",
      "scenarios.s[0].then.result.fields.account"
    ),
    ("scenarios: { s: { settings: { askToBuy: maybe } } }", "scenarios.s.settings.askToBuy"),
    ("scenarios: [a]", "scenarios"),
    ("scenarios: { s: { purchases: [{ product: unheard.of }] } }", "scenarios.s.purchases[0]"),
    (
      "scenarios: { s: { purchases: [{ product: daylight.credits.10, account: nobody }] } }", "scenarios.s.purchases[0]"
    ),
    ("scenarios: { s: { transactions: [{ product: daylight.credits.10 }] } }", "scenarios.s.transactions[0]"),
    (
      "onside: { products: { daylight.credits.10: { countries: { US: { available: false } } } } }\n"
        + "scenarios: { s: { transactions: [{ product: daylight.credits.10, waitingFor: approval }] } }",
      "scenarios.s.transactions[0]"
    ),
  ])
  func `a mistake in a scenario is refused with its place`(text: String, place: String) async throws {
    try await expect(text, isRefusedWith: ["\(place) in "])
  }

  @Test func `a scenario that the file does not have is refused with those that it has`() async throws {
    let trial = try Trial(files: ["footbridge.yaml": "scenarios: { some: [] }\n"])
    let failure = try #require(
      try await trial.failure(["--ephemeral", "--config", trial.path("footbridge.yaml"), "--scenario", "other"]))
    #expect(failure.code == EX_USAGE)
    for part in ["--scenario", "other", "some"] { #expect(failure.message.contains(part)) }
  }

  // The bridges.

  @Test(arguments: [
    ("{ accounts: [{ name: x }] }", "onside.accounts[0]"), ("{ calls: { dance: {} } }", "dance"),
    ("{ calls: { purchase: { error: hunger } } }", "unknownProduct"),
    ("{ calls: { purchase: { error: rejectedAfterLogin } } }", "contract docs"),
    ("{ settings: { askToBuy: maybe } }", "onside.settings.askToBuy"),
    ("{ products: { a: { countries: { DE: { price: cheap } } } } }", "onside.products.a.countries.DE.price"),
    ("{ products: { a: { countries: { Utopia: {} } } } }", "Utopia"), ("{ colour: red }", "colour"),
    ("{ notifications: { url: 'http://example.com/x' } }", "onside.notifications.url in"),
    ("{ notifications: { url: 'ftp://localhost/x' } }", "onside.notifications.url in"),
    ("{ notifications: { url: 'localhost:3000' } }", "onside.notifications.url in"),
    ("{ notifications: { url: '/path' } }", "onside.notifications.url in"),
    ("{ notifications: { url: '' } }", "onside.notifications.url in"),
    ("{ notifications: { url: 'http://127.0.0.1.example.com/' } }", "onside.notifications.url in"),
  ])
  func `a mistake in the onside section is refused with its place`(section: String, part: String) async throws {
    try await expect("onside: \(section)", isRefusedWith: [part])
  }

  @Test func `a product that the catalogue does not have is refused with its place and the nearest one`() async throws {
    let text = "onside: { products: { com.example.coin: { icon: /coins.png } } }"
    let catalogue = """
      {"products": [{"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}]}
      """
    let trial = try Trial(files: ["footbridge.yaml": text, "Products.storekit": catalogue])
    let config = trial.path("footbridge.yaml")
    let failure = try #require(
      try await trial.failure(["--ephemeral", "--config", config, "--catalog", trial.path("Products.storekit")]))
    #expect(failure.code == EX_CONFIG)
    #expect(failure.message.contains("onside.products.com.example.coin in \(config)"))
    #expect(failure.message.contains("com.example.coins"))
    #expect(failure.message.contains("did you mean com.example.coins?"))
    // Without a catalogue, there is nothing to compare with.
    #expect(try await trial.failure(["--ephemeral", "--config", config, "--root", trial.folder]) == nil)
  }

  @Test(arguments: [
    ("{ nope: 1 }", "nope"), ("{ signedIn: perhaps }", "today.signedIn"),
    ("{ trustedOrigins: [hidden-value] }", "today.trustedOrigins[0]"),
    ("{ trustedPaths: [hidden-value] }", "today.trustedPaths[0]"),
    ("{ feedExtraHeaders: { Authorization: hidden-value } }", "today.feedExtraHeaders.Authorization"),
    ("{ token: { url: 'ftp://x', refreshToken: hidden-value } }", "today.token.url"),
    ("{ token: { url: 'http://x' } }", "today.token"),
    ("{ token: { clientSecret: hidden-value } }", "today.token.clientSecret"),
    ("{ token: { lifetime: 0 } }", "today.token.lifetime"), ("{ track: { url: hidden-value } }", "today.track.url"),
    ("{ identity: { tz: hidden-value } }", "today.identity.tz"),
  ])
  func `a mistake in the today section is refused with its place and without its value`(
    section: String, place: String
  ) async throws {
    try await expect("today: \(section)\n", isRefusedWith: [place])
  }

  @Test(arguments: [
    ("{ capture: { document: nowhere.png } }", ["gbg.capture.document ", "nowhere.png", "cannot be read"]),
    ("{ capture: { document: footbridge.yaml } }", ["gbg.capture.document ", "neither a PNG nor a JPEG"]),
    ("{ delivery: { bootstrap: nowhere.js } }", ["gbg.delivery.bootstrap ", "nowhere.js", "cannot be read"]),
    ("{ delivery: { function: 'alert(1)' } }", ["gbg.delivery.function ", "path of a function"]),
    ("{ delivery: { as: xml } }", ["gbg.delivery.as ", "object, string"]),
    ("{ capabilities: { camera.selfie: { permissionState: allowed } } }", ["permissionState ", "granted"]),
    (
      "{ capabilities: { camera.selfie: { supported: false, permissionState: denied } } }",
      ["permissionState ", "left out"]
    ),
    ("{ answers: { a: { status: maybe } } }", ["gbg.answers.a.status ", "acknowledged"]),
    ("{ answers: { a: { status: error } } }", ["gbg.answers.a ", "error"]),
    ("{ answers: { a: { data: [1] } } }", ["gbg.answers.a.data ", "mapping"]),
    ("{ answers: { a: { data: { n: .nan } } } }", ["gbg.answers.a.data.n ", "number"]),
    ("{ capabilities: { a: maybe } }", ["gbg.capabilities.a ", "true or false"]),
    ("{ captures: {} }", ["gbg ", "unknown key, captures"]),
  ])
  func `a mistake in the gbg section is refused with its place and the reason`(
    section: String, parts: [String]
  ) async throws {
    try await expect("gbg: \(section)", isRefusedWith: parts)
  }

  @Test(arguments: [
    "{ purchases: [{ product: com.example.coin }] }",
    "{ transactions: [{ product: com.example.coin, waitingFor: approval }] }",
    "[{ on: onside.payment, where: { productIdentifier: com.example.coin }, then: { delay: 1 } }]",
    "[{ on: onside.loadProducts, where: { productIdentifiers: { $contains: com.example.coin } }, then: { delay: 1 } }]",
    "[{ on: footbridge.sheet.payment, where: { product: { productIdentifier: com.example.coin } }, then: { result: { approved: true } } }]",
  ])
  func `a misspelled product of a scenario is refused with the nearest one`(scenario: String) async throws {
    let catalogue = """
      {"products": [{"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}]}
      """
    let trial = try Trial(files: [
      "footbridge.yaml": "{ scenario: s, scenarios: { s: \(scenario) } }", "Products.storekit": catalogue,
    ])
    let failure = try #require(
      try await trial.failure([
        "--ephemeral", "--config", trial.path("footbridge.yaml"), "--catalog", trial.path("Products.storekit"),
      ]))
    #expect(failure.message.contains("scenarios.s"))
    #expect(
      failure.message.hasSuffix("The catalogue has no product com.example.coin; did you mean com.example.coins?"))
  }

  @Test(arguments: ["app/*", "/app?x", "/app#x", "/app/../x"])
  func `a pattern of a declared bridge that no page matches is refused`(pattern: String) async throws {
    try await expect("bridges: { acme: { pages: '\(pattern)' } }", isRefusedWith: ["bridges.acme.pages in"])
  }

  @Test func `an empty list of patterns of a declared bridge is refused`() async throws {
    try await expect("bridges: { acme: { pages: [] } }", isRefusedWith: ["bridges.acme.pages in"])
  }

  @Test(arguments: [
    ("{ url: 'ftp://x/' }", "bridges.acme.handler.url in ", "must be an address such as http://127.0.0.1:8090/acme."),
    (
      "{ url: 'http://x/', run: [cat] }", "bridges.acme.handler in ",
      "must be given either a command, as run: [python3, acme.py], or a url."
    ),
    (
      "{ run: [cat, gone.py] }", "bridges.acme.handler.run in ",
      "must be a command whose files exist: there is no gone.py"
    ),
    ("{ run: [cat], timeout: 5 }", "bridges.acme.handler.timeout in ", "must be left out: only a url has one."),
    ("somewhere", "bridges.acme.handler in ", "must be connect, or a mapping with run or url."),
    ("{ cmd: [cat] }", "bridges.acme.handler in ", "has an unknown key, cmd. Known are: run, timeout, token, url."),
  ])
  func `a handler that cannot be used is refused with its place`(
    handler: String, place: String, reason: String
  ) async throws {
    try await expect(
      "bridges: { acme: { handler: \(handler) } }", isRefusedWith: ["\(place)", "footbridge.yaml \(reason)"])
  }
}
