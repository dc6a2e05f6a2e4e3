import BridgeRuntime
import FootbridgeTesting
import HTTP1
import HTTPTypes
import OnsideKit

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer
@testable import WebServer

/// A server without listeners, for the targets that need one.
@BridgeActor
final class FuzzServer {
  /// The only one: it lives as long as the process.
  static let shared = Result { try FuzzServer() }

  private let footbridge: FootbridgeServer
  private static let host = "site.example"
  private static let token = "fuzz"

  private init() throws {
    var options = TestServer.usualOptions
    options.present = .auto
    options.siteOrigin = HTTPOrigin("https://\(Self.host)")
    options.controlToken = Secret(Self.token)
    options.onside = OnsideConfiguration(try Demo.storeKitConfiguration())
    footbridge = try TestServer(options: options).footbridge
  }

  /// Runs `body` with a session of its own.
  func withSession<Value>(_ body: @BridgeActor (Session) async throws -> Value) async throws -> Value {
    let sessions = footbridge.sessions
    let (session, _) = sessions.create(name: "fuzz", beginsUsualScenario: true)
    let id = session.id
    defer {
      // A request may have relaunched it.
      for session in sessions.running where session.id == id || session.profile.name != "" { sessions.remove(session) }
    }
    return try await body(session)
  }

  /// Opens a page in a session. The caller hands what the page sends to the connection.
  func openPage(in session: Session) throws -> WebSocketConnection {
    let connection = try footbridge.openWebSocket().connection
    session.open(connection, shimID: String(repeating: "0", count: 32), document: nil)
    return connection
  }

  /// The control API's answer to a request. Nil if it has not answered after so many turns, as when it waits for an event.
  func answer(_ method: HTTPRequest.Method, _ path: String, body: [UInt8]) async throws -> [UInt8]? {
    guard let target = RequestTarget(FootbridgeServer.controlPath + path, method: method) else { return [] }
    var fields: HTTPFields = [.authorization: "Bearer \(Self.token)", .contentType: "application/json"]
    fields.append(HTTPField(name: .hostField, value: Self.host))
    fields[.contentLength] = String(body.count)
    guard let head = try? HeadEncoder.encode(method, target, fields: fields) else { return [] }
    let stream = MemoryStream()
    let connection = HTTPConnection(server: try footbridge.webServer(), stream: stream, isSecure: false)
    (head + body).withUnsafeBytes { connection.streamReceived($0) }
    for _ in 0..<500 where !connection.isIdle { await Task.yield() }
    let isAnswered = connection.isIdle
    connection.streamClosed()
    return isAnswered ? stream.written : nil
  }
}
