import FootbridgeTesting
import Testing

@testable import BridgeRuntime
@testable import BridgeServer
@testable import Cluster
@testable import DeclaredServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer
@testable import WebServer

/// What tests of the server's inside need besides what every program may use.
extension TestServer {
  /// The server's sessions.
  var sessions: SessionRegistry { footbridge.sessions }

  /// The launch that the session of the test is in.
  func launch() throws -> Session { try #require(sessions.running(id: session.id)) }

  /// Opens a page on a WebSocket whose other end is in this process. What the page sends, the test hands to the connection.
  func connect(
    _ session: Session, shimID: String? = nil, document: ServedDocument? = nil, closesEarly: Bool = false
  ) throws -> WebSocketConnection {
    let connection = try footbridge.openWebSocket().connection
    session.open(connection, shimID: shimID, document: document, closesEarly: closesEarly)
    return connection
  }
}

extension WebSocketConnection {
  /// The page has sent a text message.
  func receive(_ text: String) {
    var text = text
    text.withUTF8 { onMessage?(WebSocketMessage(kind: .text, bytes: $0)) }
  }

  /// The page has sent a request without data.
  func receiveRequest(_ correlationId: String, _ action: String) {
    receive(
      #"{"version":"1.0","correlationId":"\#(correlationId)","type":"request","timestamp":1,"payload":{"action":"\#(action)"}}"#
    )
  }
}

/// Waits until something is so, for as many turns as that may take: what was sent last is held until the end of its turn.
@BridgeActor
func becomesTrue(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<10_000 where !condition() { await Task.yield() }
  return condition()
}
