import Sessions
import Testing

@testable import Footbridge

/// In each list of the file, an id occurs once.
@Suite struct UniqueIDsTests {
  @Test(arguments: [
    (
      "onside: { accounts: [{ id: a, email: a@x.example }, { id: b, email: b@x.example }, { id: a, email: c@x.example }] }",
      "onside.accounts[2]", "id", "onside.accounts[0]"
    ),
    // An account without an id has its address.
    (
      "onside: { accounts: [{ email: a@x.example }, { id: a@x.example, email: b@x.example }] }", "onside.accounts[1]",
      "id", "onside.accounts[0]"
    ),
    (
      "onside: { loginMethods: [{ id: a, kind: sms }, { id: a, kind: email }] }", "onside.loginMethods[1]", "id",
      "onside.loginMethods[0]"
    ),
    (
      "onside: { paymentMethods: [{ id: a }, { id: b }, { id: b }] }", "onside.paymentMethods[2]", "id",
      "onside.paymentMethods[1]"
    ),
    (
      "onside: { products: { p: { countries: { DE: { price: 1 }, DEU: { price: 2 } } } } }",
      "onside.products.p.countries.DEU", "country", "onside.products.p.countries.DE"
    ),
    (
      "scenarios: { s: [{ id: r, on: onside.logout, then: { delay: 1 } }, { id: r, on: onside.logout, then: { delay: 2 } }] }",
      "scenarios.s[1]", "id", "scenarios.s[0]"
    ),
    (
      "routes: { /api: http://localhost:1, /api/: http://localhost:2 }", "routes./api/", "path", "routes./api"
    ),
  ])
  func `an id that occurs twice is an error with both places`(
    text: String, place: String, member: String, earlier: String
  ) {
    let error = #expect(throws: OptionError.self) { try OptionFile(path: "f.yaml", text: text) }
    #expect(
      error?.description
        == "\(place) in f.yaml has the same \(member) as \(earlier) in f.yaml. Give each its own.")
  }

  @Test func `the same id in two lists is no error`() throws {
    _ = try OptionFile(
      path: "f.yaml",
      text:
        "onside: { accounts: [{ id: a, email: a@x.example }], loginMethods: [{ id: a, kind: sms }], paymentMethods: [{ id: a }] }"
    )
  }
}
