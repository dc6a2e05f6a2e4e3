import BridgeCore
import BridgeRuntime
import Foundation
import OnsideKit

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer
@testable import WebServer

/// What a page sends: whatever it is, the session's state is one that can be stored.
enum PageFuzz {
  @BridgeActor
  static func check(_ input: [UInt8]) async throws {
    let server = try FuzzServer.shared.get()
    try await server.withSession { session in
      let connection = try server.openPage(in: session)
      for line in input.split(separator: UInt8(ascii: "\n")) {
        line.withUnsafeBufferPointer { connection.onMessage?(WebSocketMessage(kind: .text, bytes: $0)) }
        for _ in 0..<20 { await Task.yield() }
      }
      let state = session.state.record.onside
      let stored = try JSONDecoder().decode(OnsideState.self, from: JSONEncoder().encode(state))
      try FuzzFinding.unless(stored == state, "After storing and reading it is another state: \(stored)\n\(state)")
      _ = session.json.jsonText
    }
  }
}
