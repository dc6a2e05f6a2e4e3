import Essentials
import Footbridge
import Testing

@testable import FootbridgeCommand

/// What `footbridge serve` says about mistakes: the place, what belongs there, what is there, and what was probably meant.
@Suite struct RefusalMessagesTests {
  /// Texts of footbridge.yaml, and the messages about them.
  static let files: [(text: String, message: String)] = [
    // A value of another type.
    ("onside: { enabled: 'yes' }", #"onside.enabled in footbridge.yaml must be true or false. It is "yes"."#),
    (
      "onside: { enabled: yes }",
      "onside.enabled in footbridge.yaml must be true or false. It is a text in YAML 1.2, and was true or false in YAML 1.1."
    ),
    ("onside: { enabled: [] }", "onside.enabled in footbridge.yaml must be true or false. It is a list."),
    ("onside: { accounts: { a: 1 } }", "onside.accounts in footbridge.yaml must be a list. It is a mapping."),
    ("onside: 7", "onside in footbridge.yaml must be a mapping of names to values. It is 7."),
    ("onside: text", "onside in footbridge.yaml must be a mapping of names to values. It is a text."),
    ("app: { name: [a] }", "app.name in footbridge.yaml must be a text. It is a list."),
    // A value that is not possible.
    (
      "onside: { calls: { loadProducts: { delay: -3 } } }",
      "onside.calls.loadProducts.delay in footbridge.yaml must be a whole number from 0 to 3600000. It is -3."
    ),
    (
      "onside: { accounts: [{ email: a@example.com, country: Spain }] }",
      #"onside.accounts[0].country in footbridge.yaml must be an ISO 3166 country code, such as ES. It is "Spain"."#
    ),
    (
      "onside: { settings: { locale: french } }",
      #"onside.settings.locale in footbridge.yaml must be a language, perhaps with its country: en_US. It is "french"."#
    ),
    (
      "onside: { products: { a: { countries: { ES: { price: cheap } } } } }",
      #"onside.products.a.countries.ES.price in footbridge.yaml must be a price such as 9.99. It is "cheap"."#
    ),
    (
      "routes: { /api: localhost:1 }",
      "routes./api in footbridge.yaml: localhost:1 is not an http or https address. Use one such as http://localhost:5173."
    ),
    (
      "routes: { api: 'http://localhost:1' }",
      "routes.api in footbridge.yaml: api is not a path. Use one that begins with a slash, such as /api."
    ),
    (
      "proxy: localhost:1",
      "proxy in footbridge.yaml: localhost:1 is not an http or https address. Use one such as http://localhost:5173."
    ),
    (
      "{ proxy: 'http://localhost:1', proxyTimeout: -1 }",
      "proxyTimeout in footbridge.yaml is -1. It must be a number of seconds from 0 to 86400."
    ),
    // One of a few words.
    (
      "gbg: { delivery: { as: objct } }",
      #"gbg.delivery.as in footbridge.yaml must be one of: object, string. It is "objct". Did you mean object?"#
    ),
    ("present: atuo", "present in footbridge.yaml is atuo. It must be one of: page, control, auto. Did you mean auto?"),
    (
      "logLevel: ifno",
      "logLevel in footbridge.yaml is ifno. It must be one of: trace, debug, info, notice, warning, error, critical. Did you mean info?"
    ),
    (
      "onside: { loginMethods: [{ id: a, kind: emial }] }",
      #"onside.loginMethods[0].kind in footbridge.yaml must be one of: federated, sms, email. It is "emial". Did you mean email?"#
    ),
    (
      "{ scenario: frist, scenarios: { first: [], second: [] } }",
      "scenario in footbridge.yaml is frist. It must be one of the file's scenarios: first, second. Did you mean first?"
    ),
    // What is only checked when the server is made.
    (
      "allowHost: 'http://a'",
      "allowHost in footbridge.yaml: http://a is not a host. Use a name with an optional port, such as dev.example or dev.example:443."
    ),
    (
      "trustedProxy: [proxy]",
      "trustedProxy in footbridge.yaml: proxy is not an IP address. Use the address of the proxy or its network, such as 10.1.2.3 or 10.0.0.0/8."
    ),
    ("{ tlsPort: 0, tlsCert: a.pem }", "tlsCert in footbridge.yaml needs --tls-key. Give both."),
    ("{ tlsPort: 0, tlsKey: a.pem }", "tlsKey in footbridge.yaml needs --tls-cert. Give both."),
    // A key that does not exist.
    (
      "app: { nmae: A }", "app in footbridge.yaml has an unknown key, nmae. Did you mean name? Known are: icon, name."
    ),
    ("app: { colour: red }", "app in footbridge.yaml has an unknown key, colour. Known are: icon, name."),
    (
      "rooot: site",
      "footbridge.yaml has an unknown key, rooot. Did you mean root? It has these sections: app, bridges, device, gbg, launch, limits, lint, onside, routes, scenarios, today; and the options of footbridge serve, as siteOrigin for --site-origin."
    ),
    // A key that is there twice.
    (
      "port: 1\nhost: 127.0.0.1\nport: 2",
      "footbridge.yaml is not valid YAML: port appears twice, in line 1, column 1, and in line 3, column 1."
    ),
    (
      "onside:\n  \"world\": a\n  accounts: []\n  world: b\n",
      "footbridge.yaml is not valid YAML: world appears twice, in line 2, column 3, and in line 4, column 3."
    ),
    (
      "requestHeader: { z: 1, z: 2, z: 3 }",
      "footbridge.yaml is not valid YAML: z appears twice, in line 1, column 18, and in line 1, column 24."
    ),
    (
      "\"a\\x62\": 1\nab: 2\n", "footbridge.yaml is not valid YAML: ab appears twice; first in line 1, column 1."
    ),
  ]

  @Test(arguments: files)
  func `a mistake in the file is described`(text: String, message: String) async throws {
    let trial = try Trial(files: ["footbridge.yaml": text])
    let failure = try #require(try await trial.failure(["--ephemeral", "--config", trial.path("footbridge.yaml")]))
    #expect(failure.message.replacing(trial.folder + "/", with: "") == message)
    #expect(failure.code == EX_CONFIG)
  }

  @Test(arguments: ServerOption.all.filter { $0.key != nil })
  func `an option of the file with a list of lists is refused by its key`(option: ServerOption) async throws {
    let failure = try #require(try await Trial.failure(ofFile: "\(option.name): [[1]]"))
    #expect(failure.message.contains("\(option.name)") && failure.message.contains("footbridge.yaml"))
    #expect(failure.code == EX_CONFIG)
  }

  @Test(arguments: ServerOption.all.filter { if case .flag = $0.form { true } else { false } })
  func `a variable of a switch that is neither on nor off is named`(option: ServerOption) async throws {
    let failure = try await Trial().failure([], environment: [option.variable: "maybe"])
    #expect(failure?.message.hasPrefix(option.variable) == true)
    #expect(failure?.code == EX_CONFIG)
  }

  @Test(arguments: [
    (
      ["--site", "x"],
      "--site: x is not an origin. Use scheme, host and optional port, such as https://app.example.com=http://localhost:5173."
    ),
    (
      ["--site", "https://a=b"],
      "--site: b is not an http or https address. Use one such as http://localhost:5173."
    ),
    (["--site", "https://a,https://a"], "--site: https://a is listed twice. Remove one."),
    (
      ["--proxy", "localhost:1"],
      "--proxy: localhost:1 is not an http or https address. Use one such as http://localhost:5173."
    ),
    (["--platform", "iso"], "--platform is iso. It must be one of: ios, macos. Did you mean ios?"),
    (["--drain-timeout", "x"], "--drain-timeout is x. It must be a number of seconds from 0 to 86400."),
  ])
  func `a mistake in an option is described`(arguments: [String], message: String) async throws {
    let failure = try #require(try await Trial().failure(["--ephemeral"] + arguments))
    #expect(failure.message == message)
    #expect(failure.code == EX_USAGE)
  }

  @Test(arguments: [
    (
      "--catalog", "{\n  \"products\": [\n    {\"é\",}\n]}",
      "$: found text that cannot be read (expected ':' in line 3, column 9), expected the JSON object of an Xcode StoreKit configuration."
    ),
    ("--import", "{\n\n  ]", "is not valid JSON: expected a member's name in line 3, column 3."),
  ])
  func `an error in a JSON file has a line and a column`(option: String, text: String, message: String) async throws {
    let trial = try Trial(files: ["file.json": text])
    let failure = try #require(try await trial.failure(["--ephemeral", option, trial.path("file.json")]))
    #expect(failure.message.hasSuffix(message))
    #expect(failure.message.contains(trial.path("file.json")))
    #expect(failure.code == EX_DATAERR)
  }
}
