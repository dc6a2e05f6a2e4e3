public import BridgeRuntime
public import HTTP1
import HTTPTypes

/// Sends requests to HTTP/1.1 servers, on the loop of `BridgeActor`, over connections that are kept for the next request.
@BridgeActor
public final class HTTPClient {
  /// The bounds of the connections.
  public nonisolated let limits: HTTPClientLimits

  private let outgoing: OutgoingConnection
  private var idle: [HTTPOrigin: [HTTPClientConnection]] = [:]
  private var connections: [ObjectIdentifier: HTTPClientConnection] = [:]
  private var isStopped = false

  /// Creates a client without a connection. Throws ``WebServerError`` when the loop cannot start.
  public convenience init(limits: HTTPClientLimits = HTTPClientLimits(), trust: HTTPClientTrust = .system) throws {
    try self.init(limits: limits, trust: trust, context: .client())
  }

  init(limits: HTTPClientLimits, trust: HTTPClientTrust, context: TLSContext) throws {
    self.limits = limits
    try EventLoop.start()
    outgoing = OutgoingConnection(context: context, trust: trust, timeout: limits.responseTimeout)
  }

  /// Begins a request. Its fields must say how its body is framed, as `head` has them; nothing is added.
  ///
  /// A request that may be repeated (RFC 9110, section 9.2.2) and has no body takes a connection that was used before, and another one when
  /// that one turns out to be closed (RFC 9112, section 9.3.1). Every other request gets a new connection: whether a server that closed a
  /// connection has acted on it could not be known.
  public func send(_ head: RequestHead, to origin: HTTPOrigin) -> HTTPClientExchange {
    let exchange = HTTPClientExchange(head: head, origin: origin, client: self)
    connect(exchange)
    return exchange
  }

  /// Closes every connection; open exchanges fail. What is asked for later fails at once.
  public func stop() {
    isStopped = true
    idle = [:]
    for connection in connections.values { connection.close() }
  }

  // MARK: Connections

  /// Finds a connection for an exchange that has none.
  func connect(_ exchange: HTTPClientExchange) {
    if exchange.isRepeatable, let connection = idle[exchange.origin]?.popLast() {
      return connection.begin(exchange)
    }
    Task { @BridgeActor in
      do {
        guard !isStopped else { throw HTTPClientError.closed(origin: exchange.origin) }
        let stream = try await outgoing.open(to: exchange.origin)
        guard !exchange.hasFailed, !isStopped else {
          stream.close()
          throw HTTPClientError.closed(origin: exchange.origin)
        }
        let connection = HTTPClientConnection(stream: stream, origin: exchange.origin, client: self)
        connections[ObjectIdentifier(connection)] = connection
        connection.begin(exchange)
      } catch let error as HTTPClientError {
        exchange.fail(error)
      }
    }
  }

  /// A connection has done its work and can do more. False when it is not wanted.
  func keep(_ connection: HTTPClientConnection) -> Bool {
    guard !isStopped, idle[connection.origin, default: []].count < limits.idleConnections else { return false }
    idle[connection.origin, default: []].append(connection)
    return true
  }

  func connectionEnded(_ connection: HTTPClientConnection) {
    connections[ObjectIdentifier(connection)] = nil
    idle[connection.origin]?.removeAll { $0 === connection }
  }
}
