import BridgeRuntime
import HTTPTypes
import Sessions
import WebServer

/// What this replica has passed on and is not over: requests, and tunnels of WebSockets. They end with the replica that they go to, which
/// may be stopped or cut off without closing its connections.
@BridgeActor
final class PassedOnRequests {
  private var ends: [String: [Int: () -> Void]] = [:]
  private var lastNumber = 0

  /// How many there are.
  var count: Int { ends.values.reduce(0) { $0 + $1.count } }

  /// Adds one.
  ///
  /// - Parameter end: Ends it.
  /// - Returns: Call this when it is over.
  func add(to replica: Replica, _ end: @escaping () -> Void) -> () -> Void {
    lastNumber += 1
    let number = lastNumber
    ends[replica.id, default: [:]][number] = end
    return { [weak self] in
      self?.ends[replica.id]?[number] = nil
      if self?.ends[replica.id]?.isEmpty == true { self?.ends[replica.id] = nil }
    }
  }

  /// A replica has ended, and everything that goes to it.
  func end(with replica: Replica) {
    for end in ends.removeValue(forKey: replica.id)?.values ?? [:].values { end() }
  }
}

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
