import BridgeCore
import InAppPurchases
import Testing

@Suite struct InAppRequestTests {
  @Test func `a request has an operation with its members`() throws {
    #expect(try InAppRequest("products", [:]) == .products(nil))
    #expect(try InAppRequest("products", ["products": ["coins"]]) == .products(["coins"]))
    let purchase = InAppPurchase(productID: "coins", offerID: nil, appAccountToken: "eva")
    #expect(
      try InAppRequest("purchase", ["product": "coins", "offer": nil, "appAccountToken": "eva"]) == .purchase(purchase))
    #expect(try InAppRequest("finish", ["transaction": "7"]) == .finish("7"))
  }

  @Test(
    "A request of another form says what is wrong with it",
    arguments: [
      ("buy", [:], "no such operation"), ("purchase", [:], "product must be a text"),
      ("purchase", ["product": 7], "product must be a text"), ("purchase", ["product": ""], "missing or empty"),
      ("purchase", ["product": "coins", "quantity": 2], "takes only"),
      ("restore", ["product": "coins"], "takes nothing"),
      ("products", ["products": "coins"], "must be a list"), ("products", ["products": [7]], "must be a list"),
      ("finish", ["transaction": .string(String(repeating: "x", count: 1001))], "at most 1000 bytes"),
      (
        "purchase", ["product": "coins", "appAccountToken": .string(String(repeating: "x", count: 4097))],
        "at most 4096 bytes"
      ),
    ] as [(String, [String: JSONValue], String)])
  func refused(operation: String, members: [String: JSONValue], expected: String) {
    let error = #expect(throws: InAppError.self) { try InAppRequest(operation, members) }
    #expect(error?.code == .badRequest)
    #expect(error?.description.contains(expected) == true)
  }
}
