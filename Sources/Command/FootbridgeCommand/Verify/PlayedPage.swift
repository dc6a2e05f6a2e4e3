import BridgeCore
import BridgeRuntime
import Essentials
import Footbridge
import WebServer

/// A page without a browser, which says what a transcript has. It speaks to the host as the shim does.
@BridgeActor
final class PlayedPage {
  /// What the page gets from the host.
  enum Incoming {
    /// The answer to the request with this id: the payload of the response.
    case answer(correlationId: String, payload: JSONValue)
    /// An event or a question: its action, and the whole message.
    case message(action: String, JSONValue)
  }

  /// Takes what comes from the host.
  var onIncoming: ((Incoming) -> Void)?
  private let webSocket: InProcessWebSocket
  private var requestCount = 0
  private var received = 0.0

  private static let origin = "http://127.0.0.1"

  /// Opens a page at an address of the site. Only the path and the query of the address count.
  ///
  /// - Throws: `FootbridgeError` if the server has stopped.
  init(in session: InProcessSession, url: String?) throws {
    let components = url.flatMap { URLComponents(string: $0) }
    let path = components.map(\.percentEncodedPath) ?? ""
    let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
    let target = (path.isEmpty ? "/" : path) + query
    webSocket = try session.openPage(
      shimID: BridgeRandom().token(), address: (Self.origin, target))
    webSocket.onMessage = { [weak self] in self?.received($0) }
    let data: JSONValue = [
      "url": .string(Self.origin + target), "referrer": "", "received": 0, "topFrame": true, "ancestors": [],
    ]
    send(Self.message("footbridge-shim-1", "request", ["action": .string(InProcessSession.hello), "data": data]))
  }

  /// Sends a request, and returns its id.
  func request(_ action: String, _ data: [String: JSONValue]) -> String {
    requestCount += 1
    let id = "footbridge-\(requestCount)"
    send(Self.message(id, "request", ["action": .string(action), "data": .object(data)]))
    return id
  }

  /// Sends an envelope that the page has made itself.
  func send(_ envelope: JSONValue) { webSocket.send(envelope.stringValue ?? envelope.jsonText) }

  /// Ends the page.
  func close() { webSocket.close(.goingAway) }

  private func received(_ bytes: [UInt8]) {
    // The host sends only such messages.
    guard let message = try? JSONValue(parsing: bytes), let payload = message["payload"],
      let action = payload["action"]?.stringValue
    else { return }
    let id = message["correlationId"]?.stringValue ?? ""
    if message["type"] == "response" {
      if payload["status"] != "acknowledged" { onIncoming?(.answer(correlationId: id, payload: payload)) }
      return
    }
    let sequence = message["sequence"]?.numberValue ?? 0
    guard sequence > received else { return }
    received = sequence
    if message["type"] == "request" {
      // Nobody is there to decide, so the page agrees.
      let agreed: JSONValue = ["action": .string(action), "status": "success", "data": ["result": true]]
      send(Self.message(id, "response", agreed))
    }
    if !action.hasPrefix("footbridge.") { onIncoming?(.message(action: action, message)) }
  }

  private static func message(_ id: String, _ type: String, _ payload: JSONValue) -> JSONValue {
    ["version": "1.0", "correlationId": .string(id), "type": .string(type), "timestamp": 0, "payload": payload]
  }
}
