// Further samples of docs/embedding.md: tests without a browser.

import BridgeCore
import BridgeRuntime
import Footbridge
import FootbridgeTesting
import Foundation
import OnsideKit
import Testing

/// What the samples register: a capability of the app's own.
private enum ChipReader {
  @BridgeActor
  static func register(on host: BridgeHost) {
    host.registerCustomCapability("nfc.read", version: "1.0") { _, responder in
      responder.respond(status: .success, data: ["chipRead": .bool(true)], error: nil)
    }
  }
}

struct TestingSamples {
  @Test(
    .footbridge { options in
      options.onside = OnsideConfiguration(try StoreKitConfiguration(data: Data(contentsOf: catalogue)))
    })
  func `coins are delivered once they are paid`() async throws {
    let server = try TestServer.current
    let page = try await server.openPage()
    try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
    async let purchase = page.call("onside.purchase", ["productIdentifier": "coins"])
    try await server.session.sheet("login").approve(["account": "built-in"])
    try await server.session.sheet("payment").approve()
    _ = try await purchase
    _ = try await page.event("onside.onTransactionsUpdated")
  }

  @Test func `a chip is read`() async throws {
    try await TestServer.run { options in
      options.onPage = { host in ChipReader.register(on: host) }
    } _: { server in
      let page = try await server.openPage()
      let answer = try await page.call("nfc.read")
      #expect(answer["chipRead"] == true)
    }
  }
}

/// A StoreKit configuration file that sells coins.
private let catalogue = {
  let text = #"{"products":[{"productID":"coins","type":"Consumable","displayPrice":"0.99","referenceName":"Coins"}]}"#
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).storekit")
  try? Data(text.utf8).write(to: file)
  return file
}()
