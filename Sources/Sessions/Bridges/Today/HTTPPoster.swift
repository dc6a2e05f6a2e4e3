import BridgeRuntime
import HTTP1
import HTTPTypes
import Today
import WebServer

/// Posts to an external server. It follows no redirects, keeps no cookies, and reads answers only up to a limit: what it posts contains
/// secrets, and anybody may own the server.
@BridgeActor
final class HTTPPoster {
  /// Why there is no answer. Contains nothing of what was posted.
  enum Failure: Error {
    case noAnswer
    case answerTooLong
  }

  /// The maximum size of an answer in bytes.
  nonisolated static let maximumByteCount = 1 << 20

  private let origin: HTTPOrigin
  private let target: RequestTarget
  private let timeout: Duration
  /// Created for the first request. Most servers never post.
  private var client: HTTPClient?

  /// Posts to `url` and waits for at most `timeout`. Throws `TodaySettingsError.url`.
  init(url: String, timeout: Duration) throws(TodaySettingsError) {
    guard case .absolute(let scheme, let authority, let path, let query) = RequestTarget(url, method: .post) else {
      throw .url(url)
    }
    origin = HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority)
    target = .origin(path: path.isEmpty ? "/" : path, query: query)
    self.timeout = timeout
  }

  /// Posts `body` and returns the answer, whatever its status. Throws ``Failure``.
  func post(_ body: [UInt8], contentType: String) async throws -> (status: Int, body: [UInt8]) {
    let exchange: HTTPClientExchange
    do {
      exchange = try begin(byteCount: body.count, contentType: contentType)
    } catch {
      throw Failure.noAnswer
    }
    let deadline = Task { @BridgeActor in
      try await Task.sleep(for: timeout)
      exchange.cancel()
    }
    defer { deadline.cancel() }
    // A server may answer before it has read everything. Its answer counts.
    try? await exchange.write(body)
    try? await exchange.finishBody()
    do {
      return try await answer(of: exchange)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure.noAnswer
    }
  }

  /// Closes its connections.
  func stop() {
    client?.stop()
  }

  private func begin(byteCount: Int, contentType: String) throws -> HTTPClientExchange {
    let client = try self.client ?? HTTPClient()
    self.client = client
    let fields: HTTPFields = [
      .hostField: origin.authority, .accept: "application/json", .contentType: contentType,
      .contentLength: "\(byteCount)",
    ]
    return client.send(try RequestHead(method: .post, target: target, fields: fields), to: origin)
  }

  private func answer(of exchange: HTTPClientExchange) async throws -> (status: Int, body: [UInt8]) {
    var head = try await exchange.nextHead()
    while head.status.kind == .informational { head = try await exchange.nextHead() }
    var body: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() {
      body += piece
      if body.count > Self.maximumByteCount {
        exchange.cancel()
        throw Failure.answerTooLong
      }
    }
    return (head.status.code, body)
  }
}
