import BridgeRuntime
import WebServer

/// Passes the body of a request on to the upstream, beside the response.
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

  /// Begins after `duration`, unless it was begun before or is not to begin any more.
  func start(after duration: Duration) {
    timer = Task { [weak self] in
      do { try await Task.sleep(for: duration) } catch { return }
      self?.start()
    }
  }

  /// Begins, once.
  func start() {
    guard !hasStarted, exchange.head.bodyFraming.hasBody else { return }
    hasStarted = true
    Task { @BridgeActor [exchange, upstream] in
      do {
        while let piece = try await exchange.nextBodyPiece() { try await upstream.write(piece) }
        try await upstream.finishBody(trailers: exchange.trailers)
      } catch HTTPExchangeError.connectionClosed {
        // The browser has gone: nobody is there for the response.
        upstream.cancel()
      } catch {
        // The upstream has answered, or will never: whoever waits for the response hears of it.
      }
    }
  }

  /// A body that was not asked for until now is not sent: the upstream has answered without it.
  func stopWaiting() {
    timer?.cancel()
    hasStarted = true
  }

  /// The exchange is over.
  func stop() {
    timer?.cancel()
  }
}
