import BridgeRuntime
import HTTP1

/// The HTTP/2 connections to an https origin, and the exchanges that wait for one (``HTTP2PoolStateMachine``).
@BridgeActor
final class HTTP2ClientPool {
  private let origin: HTTPOrigin
  private weak var client: HTTPClient?
  private var machine = HTTP2PoolStateMachine()
  private var waiting: [HTTPClientExchange] = []
  /// All open connections, even those that take no further requests.
  private var connections: [ObjectIdentifier: HTTP2ClientConnection] = [:]
  /// Whether the server has ended a connection with HTTP_1_1_REQUIRED.
  private var refusesHTTP2 = false

  init(origin: HTTPOrigin, client: HTTPClient) {
    self.origin = origin
    self.client = client
  }

  /// Begins an exchange on a connection, now or when one is available.
  func add(_ exchange: HTTPClientExchange) {
    for connection in connections.values { connection.check() }
    waiting.append(exchange)
    perform(machine.added(), stream: nil)
  }

  /// Closes all connections.
  func stop() {
    for connection in connections.values { connection.close() }
  }

  // MARK: From the connections

  /// A connection may now take more requests, or fewer.
  func changed(_ connection: HTTP2ClientConnection) {
    perform(
      machine.changed(ObjectIdentifier(connection), room: connection.room, isPending: connection.isPending),
      stream: nil)
  }

  /// The connection takes no further requests.
  func ended(_ connection: HTTP2ClientConnection) {
    perform(machine.ended(ObjectIdentifier(connection)), stream: nil)
  }

  /// The connection is closed.
  func closed(_ connection: HTTP2ClientConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }

  /// The server wants HTTP/1.1 instead. New connections do not offer HTTP/2.
  func needsHTTP1() { refusesHTTP2 = true }

  // MARK: Actions

  private func perform(
    _ actions: [HTTP2PoolStateMachine.Action], stream: (any ByteStream)?, error: HTTPClientError? = nil
  ) {
    var stream = stream
    for action in actions {
      switch action {
      case .begin(let id):
        guard let connection = connections[id] else {
          // An earlier action has closed it.
          perform(machine.added(), stream: nil)
          continue
        }
        guard !waiting.isEmpty else { continue }
        let exchange = waiting.removeFirst()
        if !exchange.hasFailed { connection.begin(exchange) }
        changed(connection)
      case .beginOnHTTP1:
        guard !waiting.isEmpty, let taken = stream else { continue }
        stream = nil
        client?.begin(waiting.removeFirst(), on: taken)
      case .connect: connect()
      case .failWaiting:
        let failing = waiting
        waiting = []
        for exchange in failing { exchange.fail(error ?? .closed(origin: origin)) }
      }
    }
    // No request took the new HTTP/1.1 connection: the one that it was for has begun elsewhere or has failed.
    stream?.close()
  }

  private func connect() {
    Task { @BridgeActor in
      do throws(HTTPClientError) {
        guard let client else { throw .closed(origin: origin) }
        let stream = try await client.open(to: origin, offersHTTP2: !refusesHTTP2)
        guard stream.isHTTP2 else { return perform(machine.connectedHTTP1(), stream: stream) }
        let limits = client.limits
        guard let connection = try? HTTP2ClientConnection(stream, origin: origin, limits: limits, pool: self) else {
          stream.close()
          throw .closed(origin: origin)
        }
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        perform(machine.connected(id, room: connection.room, isPending: connection.isPending), stream: nil)
      } catch {
        perform(machine.connectionFailed(), stream: nil, error: error)
      }
    }
  }
}
