package import BridgeRuntime
package import HTTP1
import HTTPTypes
import WebServer

/// Posts to an external server. It follows no redirects, keeps no cookies, and limits the size of answers: the posted data contains secrets,
/// and the server may be hostile.
@BridgeActor
package final class HTTPPoster {
  /// The reason why there is no answer. It contains nothing of the posted data.
  package enum Failure: Error, Sendable, Hashable {
    /// The server could not be reached, so nothing was posted. The reason is a sentence.
    case notReached(String)
    /// The server did not answer in time.
    case timedOut
    /// The server closed the connection, or its answer is not valid HTTP.
    case noAnswer
    case answerTooLong
  }

  /// The maximum size of an answer in bytes.
  package nonisolated let answerLimit: Int

  private let origin: HTTPOrigin
  private let target: RequestTarget
  private let timeout: Duration
  /// The client, which is created for the first request. Most servers never post.
  private var client: HTTPClient?

  /// Posts to a server and waits for at most `timeout`. An answer may have `answerLimit` bytes.
  package init(origin: HTTPOrigin, target: RequestTarget, timeout: Duration, answerLimit: Int = 1 << 20) {
    self.origin = origin
    self.target = target
    self.timeout = timeout
    self.answerLimit = answerLimit
  }

  /// Posts to `url` and waits for at most `timeout`. Nil if `url` is not an address of `http` or `https`.
  package convenience init?(url: String, timeout: Duration) {
    guard case .absolute(let scheme, let authority, let path, let query) = RequestTarget(url, method: .post) else {
      return nil
    }
    self.init(
      origin: HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority),
      target: .origin(path: path.isEmpty ? "/" : path, query: query), timeout: timeout)
  }

  /// Posts `body` and returns the answer, with any status.
  ///
  /// - Throws: ``Failure`` if there is no answer.
  package func post(
    _ body: [UInt8], contentType: String, authorization: Secret? = nil
  ) async throws(Failure) -> (status: Int, body: [UInt8]) {
    let exchange: HTTPClientExchange
    do {
      exchange = try begin(byteCount: body.count, contentType: contentType, authorization)
    } catch {
      throw Failure.noAnswer
    }
    var isLate = false
    let deadline = Task { @BridgeActor in
      try await Task.sleep(for: timeout)
      isLate = true
      exchange.cancel()
    }
    defer { deadline.cancel() }
    // Ignore an error: the server may answer before it has read the whole body, and the answer counts.
    try? await exchange.write(body)
    try? await exchange.finishBody()
    do {
      return try await answer(of: exchange)
    } catch let failure as Failure {
      throw failure
    } catch let error as HTTPClientError {
      switch error {
      case .cannotResolve, .cannotConnect, .cannotSecure, .noDescriptor: throw .notReached(error.description)
      case .timedOut: throw .timedOut
      default: throw isLate ? .timedOut : .noAnswer
      }
    } catch {
      throw .noAnswer
    }
  }

  /// Closes its connections.
  package func stop() {
    client?.stop()
  }

  private func begin(byteCount: Int, contentType: String, _ authorization: Secret?) throws -> HTTPClientExchange {
    let client = try self.client ?? HTTPClient()
    self.client = client
    var fields: HTTPFields = [
      .hostField: origin.authority, .accept: "application/json", .contentType: contentType,
      .contentLength: "\(byteCount)",
    ]
    fields[.authorization] = authorization?.reveal()
    return client.send(try RequestHead(method: .post, target: target, fields: fields), to: origin)
  }

  private func answer(of exchange: HTTPClientExchange) async throws -> (status: Int, body: [UInt8]) {
    var head = try await exchange.nextHead()
    while head.status.kind == .informational { head = try await exchange.nextHead() }
    var body: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() {
      body += piece
      if body.count > answerLimit {
        exchange.cancel()
        throw Failure.answerTooLong
      }
    }
    return (head.status.code, body)
  }
}
