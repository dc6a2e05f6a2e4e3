import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import Footbridge
@testable import GBGServer
@testable import Sessions

/// Each rule for GBGBridge is broken once, and missed by a little.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct GBGLintTests {
  private func post(
    _ page: TestPage, _ action: String, id: String, timestamp: Double = 1_760_000_000_000
  ) async throws {
    try await page.post(
      [
        "version": "1.0", "correlationId": .string(id), "type": "request", "timestamp": .number(timestamp),
        "payload": ["action": .string(action)],
      ], to: "gbgBridge")
  }

  @Test(
    arguments: [
      (1_760_000_000, "L24"), (1_760_000_000_000_000, "L24"), (-1, "L24"), (1_760_000_000_000, ""),
      (100_000_000_000, ""), (0, ""), (1, ""),
    ] as [(Double, String)])
  func `L24 is reported for a timestamp that is not in milliseconds`(timestamp: Double, found: String) async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      for id in ["a", "b"] { try await post(page, "capability.query", id: id, timestamp: timestamp) }
      _ = try await page.message { $0["correlationId"] == "b" }
      #expect(try app.found == found)
    }
  }

  @Test func `L24 is reported for a correlation id that a page uses again`() async throws {
    try await LintedApp.run { app in
      let pages = try await [app.server.openPage(), app.server.openPage()]
      for page in pages {
        try await post(page, "capability.query", id: "a")
        _ = try await page.message { $0["correlationId"] == "a" }
      }
      #expect(try app.found == "")
      try await post(pages[0], "nfc.read", id: "a")
      try await app.server.journal.first(.request, action: "nfc.read")
      #expect(try app.found == "L24")
    }
  }

  @Test func `L24 is not reported for a request that is sent again after a reconnect`() async throws {
    try await LintedApp.run { app in
      let page = try await app.server.openPage()
      try await post(page, "nfc.read", id: "a")
      try await app.server.journal.first(.request, action: "nfc.read")
      page.disconnect()
      try await page.connect()
      try await post(page, "nfc.read", id: "a")
      try await page.call("onside.getCurrentStorefront")
      #expect(try app.found == "")
    }
  }

  @Test func `L25 is reported for a capture without a capability query, once for each slot`() async throws {
    try await LintedApp.run { app in
      let pages = try await [app.server.openPage(), app.server.openPage()]
      for id in ["a", "b"] {
        try await post(pages[0], "camera.selfie.capture", id: id)
        _ = try await pages[0].message { $0["correlationId"]?.stringValue == id }
      }
      #expect(try app.found == "L25")
      for (id, action) in ["capability.query", "camera.selfie.capture", "camera.zoom"].enumerated() {
        try await post(pages[1], action, id: "c\(id)")
      }
      _ = try await pages[1].message { $0["correlationId"] == "c1" }
      #expect(try app.found == "L25")
    }
  }

  @Test func `L25 is reported for an unsupported capture, unless a rule answered the query`() async throws {
    for isDecided in [false, true] {
      try await LintedApp.run("gbg: { capabilities: { camera.selfie: false } }") { app in
        if isDecided { try app.addRule(on: "capability.query", ["result": ["capabilities": [:]]]) }
        let page = try await app.server.openPage()
        try await post(page, "capability.query", id: "a")
        try await post(page, "camera.selfie.capture", id: "b")
        try await app.server.journal.first(.request, action: "camera.selfie.capture")
        #expect(try app.found == (isDecided ? "" : "L25"))
      }
    }
  }
}
