import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import BridgeServer
@testable import Footbridge
@testable import Sessions

/// Callbacks that a rule puts behind the next one of the same name.
@Suite @BridgeActor struct ReorderedCallbacksTests {
  private static let action = "onside.onTransactionsUpdated"

  private func withPage(_ body: @BridgeActor (Session, BridgeHost) async throws -> Void) async throws {
    try await TestServer.run { server in
      try await server.openPage()
      let session = try server.launch()
      let node = InputNode(
        ["on": .string(Self.action), "then": ["reorder": true], "times": "always"], source: "the body")
      _ = session.rules.add(try RuleNode(node, session.bridgeTable).rule)
      try await body(session, try #require(session.pages.first).host)
    }
  }

  /// The numbers of the callbacks that the journal has as sent.
  private func numbers(_ session: Session) -> [JSONValue] {
    session.journal.entries(after: 0, limit: .max).entries.compactMap { entry in
      entry.kind == .event ? entry.json["data"]?["number"] : nil
    }
  }

  @Test func `a reordered callback is sent after the next one, which is not reordered again`() async throws {
    try await withPage { session, host in
      for number in 1...4 { host.send(event: Self.action, data: ["number": .number(Double(number))]) }
      #expect(await becomesTrue { numbers(session) == [2, 1, 4, 3] })
    }
  }

  @Test func `a reordered callback waits for one of its own name`() async throws {
    try await withPage { session, host in
      host.send(event: Self.action, data: ["number": 1])
      host.send(event: "onside.onTransactionsRemoved", data: ["number": 2])
      host.send(event: Self.action, data: ["number": 3])
      #expect(await becomesTrue { numbers(session) == [2, 3, 1] })
    }
  }
}
