import BridgeRuntime
import WebServer

/// Sends the body of a request to the upstream while the response comes.
@BridgeActor
final class Upload {
  private let exchange: HTTPExchange
  private let upstream: HTTPClientExchange
  private var timer: Task<Void, Never>?
  private var hasStarted = false

  init(from exchange: HTTPExchange, to upstream: HTTPClientExchange) {
    self.exchange = exchange
    self.upstream = upstream
  }

  /// Begins after `duration`, unless it has begun or was cancelled before.
  func start(after duration: Duration) {
    timer = Task { [weak self] in
      do { try await Task.sleep(for: duration) } catch { return }
      self?.start()
    }
  }

  /// Begins. Later calls have no effect.
  func start() {
    guard !hasStarted, exchange.head.bodyFraming.hasBody else { return }
    hasStarted = true
    Task { @BridgeActor [exchange, upstream] in
      do {
        while let piece = try await exchange.nextBodyPiece() { try await upstream.write(piece) }
        try await upstream.finishBody(trailers: exchange.trailers)
      } catch HTTPExchangeError.connectionClosed {
        // The browser has gone. Nobody waits for the response.
        upstream.cancel()
      } catch {
        // The upstream has answered or has gone. The code that waits for the response notices.
      }
    }
  }

  /// Cancels a body that has not begun: the upstream has answered without it.
  func stopWaiting() {
    timer?.cancel()
    hasStarted = true
  }

  /// The exchange has ended.
  func stop() {
    timer?.cancel()
  }
}
