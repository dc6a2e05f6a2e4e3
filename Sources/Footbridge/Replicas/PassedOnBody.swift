import BridgeRuntime
import HTTPTypes
import WebServer

/// The body of a request on its way to another replica. Until that has answered, the beginning is kept: it may own the session no more.
@BridgeActor
final class PassedOnBody {
  /// The largest beginning that is kept: the largest body of most routes.
  private static let keptByteCount = 1 << 20

  private let exchange: HTTPExchange
  private let upstream: HTTPClientExchange
  private var taken: [[UInt8]] = []
  private var takenByteCount = 0
  private var sending: Task<Void, Never>?

  init(of exchange: HTTPExchange, to upstream: HTTPClientExchange) {
    self.exchange = exchange
    self.upstream = upstream
  }

  /// Sends the body.
  func start() {
    guard exchange.head.bodyFraming.hasBody else { return }
    sending = Task { [self] in
      do {
        // Of a replica that cannot be reached, nothing is lost.
        try await upstream.begun()
        while let piece = try await exchange.nextBodyPiece() {
          keep(piece)
          try await upstream.write(piece)
        }
        try await upstream.finishBody(trailers: exchange.trailers)
      } catch HTTPExchangeError.connectionClosed {
        // The client has gone. Nobody waits for the response.
        upstream.cancel()
      } catch {
        // The other replica has answered or has gone. The code that waits for the response notices.
      }
    }
  }

  /// Gives the body back to the request. Returns false if too much of it is gone.
  func takeBack() async -> Bool {
    await sending?.value
    guard takenByteCount <= Self.keptByteCount else { return false }
    exchange.putBack(taken)
    taken = []
    return true
  }

  private func keep(_ piece: [UInt8]) {
    takenByteCount += piece.count
    if takenByteCount <= Self.keptByteCount { taken.append(piece) } else { taken = [] }
  }
}
