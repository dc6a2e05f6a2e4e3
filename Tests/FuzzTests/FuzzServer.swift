import BridgeRuntime
import Foundation
import HTTP1
import HTTPTypes
import Logging
import OnsideKit
import Today

@testable import Footbridge
@testable import WebServer

/// A server without listeners: sessions and the control API.
@BridgeActor
final class FuzzServer {
  /// The only one: each lives as long as the process.
  static let shared = Result { try FuzzServer() }

  let sessions: Sessions
  let web: WebServer
  let clock = ManualBridgeClock()
  private static let token = "fuzz"

  private init() throws {
    let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
    var options = FootbridgeOptions()
    options.state = nil
    options.present = .auto
    options.seed = 1
    options.siteOrigin = "https://site.example"
    options.onside = OnsideConfiguration(try Demo.storeKitConfiguration())
    let sessions = Sessions(
      options: options,
      logger: logger,
      bounds: BoundLog(logger: logger, clock: clock),
      bridges: try StartedBridges(
        options, directory: nil, logger: logger, clock: clock, random: BridgeRandom(seed: 1)),
      store: nil,
      clock: clock,
      random: BridgeRandom(seed: 1)
    )
    self.sessions = sessions
    let control = ControlAPI(token: ControlToken(Secret(Self.token)), sessions: sessions, logger: logger)
    web = try WebServer { await control.answer($0, $0.head.target.path ?? "") }
  }

  /// Runs `body` with a session of its own.
  func withSession<Value>(_ body: @BridgeActor (Session) async throws -> Value) async throws -> Value {
    let (session, _) = sessions.create(name: "fuzz", beginsUsualScenario: true)
    let id = session.id
    defer {
      // A request may have launched it anew.
      for session in sessions.running where session.id == id || session.profile.name != "" { sessions.remove(session) }
    }
    return try await body(session)
  }

  /// The control API's answer to a request; nil when it has not answered after so many turns, as where it waits for something to happen.
  func answer(_ method: HTTPRequest.Method, _ path: String, body: [UInt8]) async -> [UInt8]? {
    guard let target = RequestTarget(ControlAPI.base + path, method: method) else { return [] }
    var fields: HTTPFields = [.authorization: "Bearer \(Self.token)", .contentType: "application/json"]
    fields.append(HTTPField(name: .hostField, value: "localhost"))
    fields[.contentLength] = String(body.count)
    guard let head = try? HeadEncoder.encode(method, target, fields: fields) else { return [] }
    let stream = MemoryStream()
    let connection = HTTPConnection(server: web, stream: stream, isSecure: false)
    (head + body).withUnsafeBytes { connection.streamReceived($0) }
    for _ in 0..<500 where !connection.isIdle { await Task.yield() }
    let isAnswered = connection.isIdle
    connection.streamClosed()
    return isAnswered ? stream.written : nil
  }
}
