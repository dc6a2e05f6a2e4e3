package import BridgeRuntime
import Cryptography
import HTTPTypes
import Sessions
import WebServer

/// The requests and WebSocket tunnels that this replica is passing on. They end together with the replica that they go to: a replica that
/// is stopped or cut off may leave its connections open.
@BridgeActor
package final class ForwardedRequests {
  private var ends: [String: [Int: () -> Void]] = [:]
  private var lastNumber = 0

  /// The number of requests and tunnels.
  package var count: Int { ends.values.reduce(0) { $0 + $1.count } }

  /// Adds a request or tunnel.
  ///
  /// - Parameter end: Ends the request or tunnel.
  /// - Returns: A closure to call when the request or tunnel is over.
  func add(to replica: Replica, _ end: @escaping () -> Void) -> () -> Void {
    lastNumber += 1
    let number = lastNumber
    ends[replica.id, default: [:]][number] = end
    return { [weak self] in
      self?.ends[replica.id]?[number] = nil
      if self?.ends[replica.id]?.isEmpty == true { self?.ends[replica.id] = nil }
    }
  }

  /// Ends all requests and tunnels to a replica that has ended.
  func end(with replica: Replica) {
    for end in ends.removeValue(forKey: replica.id)?.values ?? [:].values { end() }
  }
}

/// Sends the body of a request to another replica. Keeps the beginning of the body until that replica has answered: it may no longer own
/// the session, and the request then goes elsewhere.
@BridgeActor
final class PassedOnBody {
  /// The maximum number of bytes to keep: the largest body of most routes.
  private static let retainedByteLimit = 1 << 20

  private let exchange: HTTPExchange
  private let upstream: HTTPClientExchange
  /// The code that follows the body; nil if the other replica is of the former version.
  private let seal: RunningCode?
  private var accepted: [[UInt8]] = []
  private var acceptedByteCount = 0
  private var sending: Task<Void, Never>?

  init(of exchange: HTTPExchange, to upstream: HTTPClientExchange, seal: RunningCode?) {
    self.exchange = exchange
    self.upstream = upstream
    self.seal = seal
  }

  /// Sends the body.
  func start() {
    guard exchange.head.bodyFraming.hasBody else { return }
    sending = Task { [self] in
      do {
        // Nothing of the body is read before the other replica can be reached.
        try await upstream.begun()
        while let piece = try await exchange.nextBodyPiece() {
          retain(piece)
          seal?.add(piece)
          try await upstream.write(piece)
        }
        if let seal { try await upstream.write(seal.finish()) }
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
    guard acceptedByteCount <= Self.retainedByteLimit else { return false }
    exchange.putBack(accepted)
    accepted = []
    return true
  }

  private func retain(_ piece: [UInt8]) {
    acceptedByteCount += piece.count
    if acceptedByteCount <= Self.retainedByteLimit { accepted.append(piece) } else { accepted = [] }
  }
}
