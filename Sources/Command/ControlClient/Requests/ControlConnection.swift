package import BridgeCore
package import BridgeRuntime
package import HTTP1
import HTTPTypes
import WebServer

/// The address of a server's control API, and the token for it.
package struct ControlServer: Sendable, Hashable {
  /// Its address.
  package let origin: HTTPOrigin
  /// The token of its control API.
  package let token: Secret

  /// Creates a server.
  package init(origin: HTTPOrigin, token: Secret) {
    self.origin = origin
    self.token = token
  }
}

/// The reason why an operation has no result.
package enum ControlFailure: Error, Sendable, CustomStringConvertible {
  /// The server refuses the request with this status, for a reason in words.
  case refused(status: Int, detail: String, problem: JSONValue?)
  /// The server cannot be reached, or its answer is broken.
  case unreachable(String)
  /// The answer is larger than the client's limit.
  case tooLarge(limit: Int)

  /// The reason, in sentences.
  package var description: String {
    switch self {
    case .refused(let status, let detail, _): detail.isEmpty ? "The server answered \(status)." : detail
    case .unreachable(let reason): reason
    case .tooLarge(let limit): "The answer is larger than \(limit) bytes. Ask for less."
    }
  }
}

/// Sends requests to the control API of one server.
@BridgeActor
package final class ControlConnection {
  /// The server.
  package nonisolated let server: ControlServer
  private let base: String
  private let client: HTTPClient

  /// The largest answer, in bytes. A whole journal has at most 8 MiB of entries.
  private static let answerLimit = 64 << 20

  /// Creates a connection, which connects with its first request.
  ///
  /// - Throws: `HTTPServerError` if the loop cannot start.
  package init(to server: ControlServer, _ table: OperationTable) throws {
    self.server = server
    base = table.base
    var limits = HTTPClientLimits()
    // Longer than two minutes, the longest wait that a request can ask for.
    limits.responseTimeout = .seconds(150)
    client = try HTTPClient(limits: limits, trust: .anyoneNearby)
  }

  /// Closes its connections.
  package func close() { client.stop() }

  /// Sends a request and returns the JSON of the answer; nil for an answer without one.
  ///
  /// Cancelling the task cancels the request.
  ///
  /// - Throws: ``ControlFailure``.
  package func send(_ call: ControlCall) async throws -> JSONValue? {
    let exchange = try await begin(call)
    return try await Self.cancelling(exchange) {
      let head = try await exchange.nextHead()
      let bytes = try await self.body(of: exchange)
      let value = Self.value(of: bytes, head.fields[.contentType] ?? "")
      guard head.status.kind == .successful else { throw Self.refusal(head.status, value) }
      guard !bytes.isEmpty else { return nil }
      guard let value else { throw ControlFailure.unreachable("\(self.server.origin) has sent no JSON.") }
      return value
    }
  }

  /// Parses the JSON of an answer. JSON Lines become a list.
  private static func value(of bytes: [UInt8], _ type: String) -> JSONValue? {
    guard type.hasPrefix("application/jsonl") else { return try? JSONValue(parsing: bytes) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return try? .array(lines.map { try JSONValue(parsing: $0) })
  }

  /// Opens a stream of server-sent events and passes on the data of each event, until the server ends the stream.
  ///
  /// - Parameters:
  ///   - call: The request.
  ///   - opened: Called when the stream is open, so that nothing that happens later is missed.
  ///   - body: Called with each event.
  /// - Throws: ``ControlFailure``, and what `body` throws.
  package func follow(
    _ call: ControlCall, opened: () -> Void = {}, _ body: (ServerSentEvent) throws -> Void
  ) async throws {
    let exchange = try await begin(call)
    try await Self.cancelling(exchange) {
      let head = try await exchange.nextHead()
      guard head.status.kind == .successful else {
        throw Self.refusal(head.status, try? JSONValue(parsing: try await self.body(of: exchange)))
      }
      opened()
      var reader = ServerSentEventReader()
      while let piece = try await exchange.nextBodyPiece() {
        for event in try reader.read(piece) { try body(event) }
      }
    }
  }

  private func begin(_ call: ControlCall) async throws -> HTTPClientExchange {
    var fields = call.fields
    fields[.hostField] = server.origin.authority
    fields[.authorization] = "Bearer \(server.token.reveal())"
    let body = call.body.map { Array($0.jsonText.utf8) }
    if let body {
      fields[.contentType] = "application/json"
      fields[.contentLength] = "\(body.count)"
    } else if call.operation.method != "GET" {
      fields[.contentLength] = "0"
    }
    guard let method = HTTPRequest.Method(call.operation.method) else {
      throw ControlFailure.unreachable("\(call.operation.method) is not a method of HTTP.")
    }
    let target = RequestTarget.origin(path: base + call.path, query: call.query)
    let head: RequestHead
    do throws(MessageDefect) {
      head = try RequestHead(method: method, target: target, fields: fields)
    } catch {
      throw ControlFailure.unreachable("The request cannot be sent: \(error)")
    }
    let exchange = client.send(head, to: server.origin)
    // A failed send is reported when the answer is read, unless the server answered before it read the whole request.
    if let body { try? await exchange.write(body) }
    try? await exchange.finishBody()
    return exchange
  }

  private func body(of exchange: HTTPClientExchange) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() {
      guard bytes.count + piece.count <= Self.answerLimit else {
        exchange.cancel()
        throw ControlFailure.tooLarge(limit: Self.answerLimit)
      }
      bytes += piece
    }
    return bytes
  }

  private static func refusal(_ status: HTTPResponse.Status, _ problem: JSONValue?) -> ControlFailure {
    let detail = problem?["detail"]?.stringValue ?? "The server answered \(status.code) \(status.reasonPhrase)."
    return .refused(status: status.code, detail: detail, problem: problem)
  }

  /// Runs the rest of an exchange, and cancels it with its task.
  private static func cancelling<Result: Sendable>(
    _ exchange: HTTPClientExchange, _ body: @BridgeActor () async throws -> Result
  ) async throws -> Result {
    do {
      return try await withTaskCancellationHandler {
        try await body()
      } onCancel: {
        Task { @BridgeActor in exchange.cancel() }
      }
    } catch let error as HTTPClientError {
      throw ControlFailure.unreachable(error.description)
    }
  }
}
