import BridgeCore
import OnsideKit
import Testing
import Today

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite struct RuleNodeTests {
  private func rule(_ text: String) throws -> Rule {
    let accounts = "onside: { accounts: [{ id: eva, email: e@e.example }, { id: 7, email: s@e.example }] }"
    return try OptionFile(path: "f.yaml", text: "\(accounts)\nscenarios: { s: [\(text)] }").scenarios["s"]?.rules.first
      ?? { throw OptionError("There is no rule.") }()
  }

  private func response(_ text: String) throws -> (BridgeResponseStatus, [String: JSONValue]?, BridgeErrorPayload?)? {
    guard case .response(let status, let data, let error) = try rule(text).outcome.answer else { return nil }
    return (status, data, error)
  }

  @Test func `a rule is read with its id, action, pattern, times and outcome`() throws {
    let rule = try rule(
      "{ id: slow.1, on: onside.purchase, where: { productIdentifier: x }, times: { nth: 2 }, "
        + "then: { delay: 300, gate: g, cutSocket: true } }")
    #expect(rule.id == "slow.1" && rule.on == "onside.purchase" && rule.times == .nth(2))
    #expect(try rule.pattern == JSONPattern(["productIdentifier": "x"]))
    #expect(rule.outcome == Outcome(delay: .milliseconds(300), gate: "g", cutsSocket: true))
    #expect(rule.source["then"]?["delay"] == 300)
  }

  @Test func `the error about a wrong pattern names the place`() {
    let error = #expect(throws: OptionError.self) {
      try rule("{ on: a, where: { b: { $mathces: c } }, then: { delay: 1 } }")
    }
    #expect(error?.description.contains("where") == true)
    #expect(error?.description.contains("$mathces is not an operator") == true)
  }

  @Test(arguments: [
    ("onside.loadProducts", "{ productIdentifiers: coins }", "].where.productIdentifiers", "must be { $contains: … }"),
    ("onside.loadProducts", "{ productIdentifiers: [7] }", "productIdentifiers[0]", "a text, in quotation marks"),
    ("onside.loadProducts", "{ productIdentifiers: { $matches: c } }", "productIdentifiers", "{ $contains: { $matches"),
    ("onside.purchase", "{ productIdentifier: 7 }", "].where.productIdentifier", "a text, in quotation marks"),
    ("onside.purchase", "{ productIdentifier: { $equals: 7 } }", "productIdentifier.$equals", "a text, in quotation"),
    ("onside.purchase", "{ productIdentifier: { $contains: 7 } }", "productIdentifier.$contains", "a text"),
    ("onside.purchase", "{ productIdentifier: [coins] }", "].where.productIdentifier", "must be a text."),
    ("onside.purchase", "{ productIdentifier: { id: coins } }", "].where.productIdentifier", "must be a text."),
    ("onside.purchase", "{ productIdentifier: { $absent: true } }", "].where.productIdentifier", "always there"),
    ("onside.purchase", "{ productIdentifier: { $any: false } }", "].where.productIdentifier", "always there"),
    ("onside.setShouldForceLocalLoginMethods", "{ force: 'true' }", "].where.force", "true or false"),
    (
      "onside.onTransactionsUpdated", "{ transactions: { $contains: { transactionStat: bought } } }",
      "].where.transactions.$contains.transactionStat", "transactionState"
    ),
    (
      "onside.onTransactionsUpdated", "{ transactions: { $contains: { transactionState: bought } } }",
      "transactionState", "purchasing, purchased, restored, failed"
    ),
    (
      "onside.onTransactionsUpdated", "{ transactions: { transactionState: purchased } }", "].where.transactions",
      "{ $contains: … }"
    ),
    (
      "onside.shouldContinueTransaction", "{ transaction: { payment: { product: { price: { value: '1' } } } } }",
      "payment.product.price.value", "a number"
    ),
    ("onside.shouldContinueTransaction", "{ storefront: null }", "].where.storefront", "mapping"),
    ("footbridge.sheet.payment", "{ product: coins }", "].where.product", "mapping"),
  ])
  func `the error about a pattern that cannot match names the place and what is right`(
    on: String, pattern: String, place: String, part: String
  ) {
    let error = #expect(throws: OptionError.self) { try rule("{ on: \(on), where: \(pattern), then: { delay: 1 } }") }
    #expect(error?.description.contains("\(place) in f.yaml") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("onside.loadProducts", "{ productIdentifiers: { $contains: coins } }"),
    ("onside.loadProducts", "{ productIdentifiers: [coins, { $matches: g }] }"),
    ("onside.loadProducts", "{ productIdentifiers: { $equals: [coins] } }"),
    ("onside.purchase", "{ productIdentifier: { $contains: coin }, appAccountToken: { $absent: true } }"),
    ("onside.purchase", "{ productIdentifier: '7', appAccountToken: null }"),
    ("onside.trackEvent", "{ parameters: { level: 3 } }"),
    ("onside.setShouldForceLocalLoginMethods", "{ force: true }"),
    (
      "onside.onTransactionsUpdated",
      "{ transactions: { $contains: { transactionState: purchased, error: { $absent: true }, payment: { $any: true } } } }"
    ),
    ("onside.onStorefrontChanged", "{ storefront: null }"),
    ("onside.onStorefrontChanged", "{ storefront: { countryCode: { $matches: '^D' } } }"),
    ("onside.onRestoreCompletedTransactionsFailedWithError", "{ error: { connectionError: {} } }"),
    ("footbridge.sheet.payment", "{ product: { productIdentifier: coins }, offer: { $absent: true } }"),
  ])
  func `a pattern that a call can match is accepted`(on: String, pattern: String) throws {
    #expect(try rule("{ on: \(on), where: \(pattern), then: { delay: 1 } }").on == on)
  }

  @Test func `each action of Onside and each of its sheets has a shape`() {
    let definition = OnsideDefinition()
    let rules = definition.rules
    let actions =
      rules.knownActions.compactMap(rules.action)
      + definition.sheetKinds.map { RuleAction("footbridge.sheet.\($0)", .sheet) }
    for action in actions {
      guard case .object = rules.shape(action) else {
        Issue.record("\(action.name)")
        continue
      }
    }
  }

  @Test func `a rule without times decides once`() throws {
    #expect(try rule("{ on: a, then: { delay: 1 } }").times == .once)
    #expect(try rule("{ on: a, times: always, then: { delay: 1 } }").times == .always)
  }

  @Test(
    arguments: [
      ("[1, 3]", .listed([1, 3])), ("{ first: 3 }", .first(3)), ("{ from: 2 }", .from(2)), ("{ nth: 2 }", .nth(2)),
      ("{ probability: 0.25 }", .always.withProbability(0.25)),
      ("{ from: 2, probability: 0.5 }", .from(2).withProbability(0.5)),
    ] as [(String, Rule.Times)])
  func `the times of a rule are read in each form`(text: String, times: Rule.Times) throws {
    #expect(try rule("{ on: a, times: \(text), then: { delay: 1 } }").times == times)
  }

  @Test func `a delay is read as a range`() throws {
    let outcome = try rule("{ on: a, then: { delay: { from: 100, to: 800 } } }").outcome
    #expect(outcome == Outcome(delay: .milliseconds(100), longestDelay: .milliseconds(800)))
  }

  @Test(
    arguments: [
      ("onside.onTransactionsUpdated", "drop: true", .dropped),
      ("onside.onStorefrontChanged", "double: true", .doubled),
      ("onside.shouldContinueTransaction", "reorder: true", .reordered), ("nfc.read", "drop: true", .dropped),
      ("nfc.read", "double: true, result: { a: 1 }", .doubled), ("nfc.read", "unknownId: true, delay: 5", .unknownID),
      ("nfc.read", "raw: '{'", .raw("{")), ("nfc.read", "drop: false, raw: null", .raw(.null)),
    ] as [(String, String, Outcome.Delivery)])
  func `a rule can drop, double, reorder or alter a message to the page`(
    on: String, then: String, delivery: Outcome.Delivery
  ) throws {
    #expect(try rule("{ on: \(on), then: { \(then) } }").outcome.delivery == delivery)
  }

  @Test func `a rule can answer the host's question in place of the page`() throws {
    let answer = try response("{ on: onside.shouldContinueTransaction, then: { result: false } }")
    #expect(answer?.1 == ["result": false])
  }

  @Test func `a rule for the merchant API answers with a status and Retry-After`() throws {
    let answer = try rule("{ on: onside.merchantAPI, then: { error: 500 } }").outcome.answer
    #expect(answer == .status(500, retryAfter: nil))
    let later = try rule("{ on: onside.merchantAPI, then: { error: { status: 429, retryAfter: 7 } } }").outcome.answer
    #expect(later == .status(429, retryAfter: 7))
  }

  @Test(arguments: OnsideCall.allCases)
  func `a rule can answer each Onside call with each of its error cases, and no other`(call: OnsideCall) throws {
    for name in call.errorCases {
      let answer = try rule("{ on: onside.\(call.rawValue), then: { error: \(name) } }").outcome.answer
      if call == .payment || call == .restore {
        #expect(answer == .failure(name))
      } else {
        let error = BridgeErrorPayload(code: name, message: "\(call.rawValue) was made to fail.", recoverable: false)
        #expect(answer == .response(.error, data: nil, error: error))
      }
    }
    #expect(throws: OptionError.self) { try rule("{ on: onside.\(call.rawValue), then: { error: hunger } }") }
  }

  @Test(
    arguments: [
      ("onside.getCurrentStorefront", "{ id: i, countryCode: DE }", #"{"storefront":{"countryCode":"DE","id":"i"}}"#),
      ("onside.getCurrentStorefront", "null", #"{"storefront":null}"#),
      ("onside.getTransactions", "[]", #"{"transactions":[]}"#),
      (
        "onside.loadProducts", "{ products: [], invalidProductIdentifiers: [] }",
        #"{"invalidProductIdentifiers":[],"products":[]}"#
      ),
      ("onside.getAttributionMetadata", "{}", "{}"),
      ("today.headers", "{ X-A: b }", #"{"value":{"X-A":"b"}}"#), ("today.message", "null", "{}"),
      ("today.establishSession", "{ ok: false }", #"{"value":{"ok":false}}"#),
      ("nfc.read", "{ chipRead: true }", #"{"chipRead":true}"#),
    ] as [(String, String, String)])
  func `a rule's result is sent to the page`(on: String, result: String, data: String) throws {
    let answer = try response("{ on: \(on), then: { result: \(result) } }")
    #expect(answer?.0 == .success && answer?.2 == nil)
    #expect(JSONValue.object(answer?.1 ?? [:]).jsonText == data)
  }

  @Test func `a call whose promise has no value accepts only null as result`() throws {
    let answer = try response("{ on: onside.purchase, then: { result: null } }")
    #expect(answer?.0 == .success && answer?.1 == nil)
  }

  @Test(arguments: BridgeResponseStatus.allCases.filter { $0 != .error })
  func `a rule can answer a GBGBridge request with each status`(status: BridgeResponseStatus) throws {
    let answer = try response("{ on: camera.selfie.capture, then: { status: \(status), result: { reason: r } } }")
    #expect(answer?.0 == status && answer?.1 == ["reason": "r"])
  }

  @Test(arguments: BridgeErrorCode.allCases)
  func `a known GBGBridge error code has its own recoverable value`(code: BridgeErrorCode) throws {
    let answer = try response("{ on: camera.document.capture, then: { error: \(code.rawValue) } }")
    #expect(answer?.0 == .error)
    #expect(answer?.2?.code == code.rawValue && answer?.2?.recoverable == code.isRecoverable)
  }

  @Test func `a GBGBridge error can have any code, message and recoverable`() throws {
    let answer = try response("{ on: nfc.read, then: { error: { code: NFC_GONE, message: Gone, recoverable: true } } }")
    #expect(answer?.2 == BridgeErrorPayload(code: "NFC_GONE", message: "Gone", recoverable: true))
  }

  @Test(
    arguments: [
      ("signedOut", TokenError.signedOut), ("refused", .refused(.invalidGrant)), ("unreachable", .unreachable),
      ("invalidResponse", .invalidResponse), ("signing", .signing),
    ] as [(String, TokenError)])
  func `a rule can reject refreshToken with each text of the host`(name: String, error: TokenError) throws {
    #expect(try response("{ on: today.refreshToken, then: { error: \(name) } }")?.2?.message == error.description)
  }

  @Test func `a rule can reject a Today message with any text`() throws {
    #expect(try response("{ on: today.message, then: { error: { message: No } } }")?.2?.message == "No")
  }

  @Test func `an action without a bridge can have the name of another bridge's member`() throws {
    #expect(try rule("{ on: logout, bridge: gbg, then: { delay: 1 } }").on == "logout")
  }

  @Test func `a rule can approve a sheet with fields or cancel it`() throws {
    let approval = try rule(
      "{ on: footbridge.sheet.login, then: { result: { approved: true, fields: { account: eva } } } }")
    #expect(approval.outcome.answer == .sheet(.approve(["account": "eva"])))
    let number = try rule(
      "{ on: footbridge.sheet.login, then: { result: { approved: true, fields: { account: 7 } } } }")
    #expect(number.outcome.answer == .sheet(.approve(["account": "7"])))
    let refusal = try rule("{ on: footbridge.sheet.payment, then: { result: { approved: false } } }")
    #expect(refusal.outcome.answer == .sheet(.cancel))
  }

  @Test(
    arguments: [
      ("{ on: a }", "scenarios.s[0]"), ("{ then: { delay: 1 } }", "with on and then"),
      ("{ on: onside.dance, then: { delay: 1 } }", "scenarios.s[0].on"),
      ("{ on: today.dance, then: { delay: 1 } }", "today.headers"),
      ("{ on: footbridge.hello, then: { delay: 1 } }", "].on"),
      ("{ on: footbridge.sheet.dance, then: { delay: 1 } }", "paymentMethods"),
      ("{ on: '', then: { delay: 1 } }", "].on"),
      ("{ on: a, times: twice, then: { delay: 1 } }", "].times"),
      ("{ on: a, times: { nth: 0 }, then: { delay: 1 } }", "].times.nth"),
      ("{ on: a, times: [], then: { delay: 1 } }", "].times"),
      ("{ on: a, times: [0], then: { delay: 1 } }", "].times[0]"),
      ("{ on: a, times: { first: 3, from: 2 }, then: { delay: 1 } }", "{first: 3} or {from: 2}"),
      ("{ on: a, times: { probability: 2 }, then: { delay: 1 } }", "between 0 and 1"),
      ("{ on: a, then: { delay: { from: 5, to: 5 } } }", "greater than from"),
      ("{ on: a, then: { delay: { from: 5 } } }", "{from: 100, to: 800}"),
      ("{ on: onTransactionsUpdated, then: { drop: true } }", "must be onside.onTransactionsUpdated"),
      ("{ on: onside.onTransactionsUpdated, where: { product: x }, then: { drop: true } }", "transactions"),
      ("{ on: onside.onTransactionsUpdated, then: { result: true } }", "does not ask"),
      ("{ on: onside.onTransactionsUpdated, then: { error: x } }", "cannot fail"),
      ("{ on: onside.onTransactionsUpdated, then: { raw: x } }", "drop, double, reorder"),
      ("{ on: onside.onTransactionsUpdated, then: { drop: true, delay: 1 } }", "no effect with drop"),
      ("{ on: onside.onTransactionsUpdated, then: { drop: true, double: true } }", "the only one of"),
      ("{ on: onside.shouldContinueTransaction, then: { result: perhaps } }", "].then.result"),
      ("{ on: onside.purchase, then: { double: true } }", "for callbacks, and for answers"),
      ("{ on: nfc.read, then: { reorder: true } }", "drop, double, unknownId, raw"),
      ("{ on: nfc.read, then: { raw: x, error: BUSY } }", "no effect with raw"),
      ("{ on: onside.merchantAPI, then: { error: 418 } }", "429"),
      ("{ on: onside.merchantAPI, then: { result: {} } }", "signed"),
      ("{ on: onside.merchantAPI, where: { order: x }, then: { error: 500 } }", "orderId"),
      ("{ on: onside.merchantAPI, then: { kill: true } }", "a backend does not end"),
      ("{ on: onside.purchase, then: { kill: true, error: unknownProduct } }", "the only thing"),
      ("{ on: a, then: {} }", "at least one of"), ("{ on: a, then: { delay: -1 } }", "].then.delay"),
      ("{ on: a, then: { gate: a b } }", "].then.gate"), ("{ id: '', on: a, then: { delay: 1 } }", "].id"),
      ("{ on: a, then: { result: {}, error: E } }", "not both"), ("{ on: a, then: { result: 1 } }", "].then.result"),
      ("{ on: a, then: { status: error } }", "].then.status"),
      ("{ on: a, then: { status: success, error: E } }", "].then.status"),
      ("{ on: a, where: [], then: { delay: 1 } }", "].where"), ("{ on: a, when: {}, then: { delay: 1 } }", "when"),
      ("{ on: onside.purchase, then: { error: connectionError } }", "loginDiscarded"),
      ("{ on: onside.purchase, then: { result: {} } }", "].then.result"),
      ("{ on: onside.payment, then: { result: {} } }", "].then.result"),
      ("{ on: loadProducts, then: { delay: 1 } }", "must be onside.loadProducts"),
      ("{ on: Onside.loadProducts, then: { delay: 1 } }", "must be onside.loadProducts"),
      ("{ on: headers, then: { delay: 1 } }", "must be today.headers, or used with bridge: gbg"),
      ("{ on: todai.headers, then: { result: 1 } }", "must be today.headers, or used with bridge: gbg"),
      ("{ on: sheet.login, then: { delay: 1 } }", "must be footbridge.sheet.login, or used with bridge: gbg"),
      ("{ on: onside.purchase, bridge: gbg, then: { delay: 1 } }", "].bridge in"),
      ("{ on: onside.purchase, where: { product: x }, then: { delay: 1 } }", "appAccountToken, productIdentifier"),
      (
        "{ on: onside.loadProducts, where: { productIdentifier: x }, then: { delay: 1 } }",
        "productIdentifiers: { $contains"
      ),
      ("{ on: onside.logout, where: { a: 1 }, then: { delay: 1 } }", "onside.logout has no data"),
      ("{ on: footbridge.sheet.payment, where: { productIdentifier: x }, then: { delay: 1 } }", "product, storefront"),
      ("{ on: onside.loadProducts, then: { result: { products: [] } } }", "given invalidProductIdentifiers"),
      (
        "{ on: onside.loadProducts, then: { result: { products: [{ id: a }], invalidProductIdentifiers: [] } } }",
        "result.products[0] in f.yaml has an unknown key, id"
      ),
      ("{ on: onside.getCurrentStorefront, then: { result: { countryCode: DE } } }", "given id"),
      ("{ on: today.headers, then: { result: [] } }", "].then.result"),
      ("{ on: today.establishSession, then: { result: { ok: perhaps } } }", "].then.result.ok"),
      ("{ on: today.track, then: { result: 1 } }", "].then.result"),
      ("{ on: onside.payment, then: { cutSocket: true } }", "].then.cutSocket"),
      ("{ on: onside.purchase, then: { status: success } }", "].then.status"),
      ("{ on: today.track, then: { error: signedOut } }", "never rejects"),
      ("{ on: today.headers, then: { error: signedOut } }", "never rejects"),
      ("{ on: today.establishSession, then: { error: signedOut } }", "{ok: false}"),
      ("{ on: today.refreshToken, then: { error: hunger } }", "unreachable"),
      ("{ on: footbridge.sheet.login, then: { error: x } }", "].then.error"),
      ("{ on: footbridge.sheet.login, then: { result: {} } }", "approved"),
      (
        "{ on: footbridge.sheet.capture, then: { result: { approved: true, fields: { imagebase64: aGk= } } } }",
        "imagebase64"
      ),
      (
        "{ on: footbridge.sheet.login, then: { result: { approved: true, fields: { account: nobody } } } }",
        "].then.result.fields.account in f.yaml must be the id of an account, one of: eva, 7"
      ),
    ] as [(String, String)])
  func `the error about a rule names the place and what is right`(text: String, part: String) {
    let error = #expect(throws: OptionError.self) { try rule(text) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("f.yaml") == true)
  }
}
