public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// Sends requests over HTTP/1.1, or HTTP/2 if an https server chooses that, and keeps the connections for the next request. It runs on the
/// loop of `BridgeActor`.
///
/// ```swift
/// let client = try HTTPClient()
/// let origin = HTTPOrigin("https://id.example")!
/// let head = try RequestHead(
///   method: .get, target: .origin(path: "/keys", query: nil), fields: [.hostField: origin.authority])
/// let exchange = client.send(head, to: origin)
/// let response = try await exchange.nextHead()
/// while let piece = try await exchange.nextBodyPiece() { … }
/// ```
@BridgeActor
public final class HTTPClient {
  /// The limits of the connections.
  public nonisolated let limits: HTTPClientLimits

  private let outgoing: OutgoingConnection
  private let offersHTTP2: Bool
  private var pools: [HTTPOrigin: HTTP2ClientPool] = [:]
  private var idle: [HTTPOrigin: [HTTPClientConnection]] = [:]
  private var connections: [ObjectIdentifier: HTTPClientConnection] = [:]
  private var isStopped = false

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - limits: The limits of its connections.
  ///   - trust: Which certificates it accepts.
  ///   - forbidden: Which addresses it does not connect to.
  ///   - offersHTTP2: Whether https servers may choose HTTP/2. Requests with `Upgrade` are sent over HTTP/1.1 in any case.
  /// - Throws: ``HTTPServerError`` when the loop cannot start.
  public convenience init(
    limits: HTTPClientLimits = HTTPClientLimits(), trust: HTTPClientTrust = .system,
    forbidden: ForbiddenDestinations = .none, offersHTTP2: Bool = false
  ) throws {
    try self.init(limits: limits, trust: trust, forbidden: forbidden, offersHTTP2: offersHTTP2, context: .client())
  }

  init(
    limits: HTTPClientLimits, trust: HTTPClientTrust, forbidden: ForbiddenDestinations = .none,
    offersHTTP2: Bool = false, context: TLSContext
  ) throws {
    self.limits = limits
    self.offersHTTP2 = offersHTTP2
    try EventLoop.start()
    outgoing = OutgoingConnection(
      context: context, trust: trust, timeout: limits.connectTimeout ?? limits.responseTimeout ?? .seconds(30),
      forbidden: forbidden)
  }

  /// Opens a connection whose bytes the caller reads and writes itself.
  func openStream(to authority: Authority) async throws -> any ByteStream {
    try await outgoing.open(to: HTTPOrigin(isSecure: false, authority: authority))
  }

  /// Begins a request.
  ///
  /// An idempotent request (RFC 9110, section 9.2.2) without a body reuses a connection, and is sent again if that
  /// turns out to be closed (RFC 9112, section 9.3.1). Over HTTP/1.1, any other request gets a new connection, since a
  /// server that closes a connection may have acted on the request or not. Over HTTP/2, the requests of an origin share
  /// a connection, as far as the server takes them, and one that the server hands back is sent again (RFC 9113, section
  /// 8.7).
  ///
  /// - Parameters:
  ///   - head: The head. No fields are added; those for the framing of the body must be there.
  ///   - origin: The server.
  /// - Returns: The exchange.
  public func send(_ head: RequestHead, to origin: HTTPOrigin) -> HTTPClientExchange {
    let exchange = HTTPClientExchange(head: head, origin: origin, client: self)
    connect(exchange)
    return exchange
  }

  /// Closes all connections. Open exchanges fail, and later requests fail at once.
  public func stop() {
    isStopped = true
    idle = [:]
    for connection in connections.values { connection.close() }
    for pool in pools.values { pool.stop() }
  }

  // MARK: Connections

  /// Finds or opens a connection for an exchange.
  func connect(_ exchange: HTTPClientExchange) {
    if exchange.isRepeatable, let connection = idle[exchange.origin]?.popLast() {
      return connection.begin(exchange)
    }
    guard !isStopped else { return exchange.fail(.closed(origin: exchange.origin)) }
    if offersHTTP2, exchange.origin.isSecure, !exchange.needsHTTP1 { return pool(of: exchange.origin).add(exchange) }
    Task { @BridgeActor in
      do throws(HTTPClientError) {
        let peerTimeout = exchange.hasLargeBody ? nil : limits.peerTimeout
        begin(exchange, on: try await open(to: exchange.origin, offersHTTP2: false, peerTimeout: peerTimeout))
      } catch {
        exchange.fail(error)
      }
    }
  }

  /// Opens a connection.
  func open(
    to origin: HTTPOrigin, offersHTTP2: Bool, peerTimeout: Duration? = nil
  ) async throws(HTTPClientError) -> any ByteStream {
    do {
      let stream = try await outgoing.open(to: origin, offersHTTP2: offersHTTP2, peerTimeout: peerTimeout)
      guard isStopped else { return stream }
      stream.close()
    } catch let error as HTTPClientError {
      throw error
    } catch {}
    throw .closed(origin: origin)
  }

  /// Begins an exchange on a new connection of HTTP/1.1.
  func begin(_ exchange: HTTPClientExchange, on stream: any ByteStream) {
    guard !exchange.hasFailed else { return stream.close() }
    let connection = HTTPClientConnection(stream: stream, origin: exchange.origin, client: self)
    connections[ObjectIdentifier(connection)] = connection
    connection.begin(exchange)
  }

  private func pool(of origin: HTTPOrigin) -> HTTP2ClientPool {
    if let pool = pools[origin] { return pool }
    let pool = HTTP2ClientPool(origin: origin, client: self)
    pools[origin] = pool
    return pool
  }

  /// Keeps a connection for the next request. Returns false when it is not needed.
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

/// Which server certificates a client accepts.
public enum HTTPClientTrust: Sendable, Hashable {
  /// Certificates for the requested name, issued by an authority that the system trusts.
  case system
  /// Any certificate of a server on this machine or in a private network, since development servers often sign their
  /// own. For other servers, as ``system``.
  case anyoneNearby
}

/// Why a request got no complete response.
public enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the host has no address.
  case cannotResolve(host: String, reason: String)
  /// No address of the host accepts a connection.
  case cannotConnect(origin: HTTPOrigin, reason: String)
  /// The TLS handshake failed.
  case cannotSecure(origin: HTTPOrigin, reason: String)
  /// The server did not answer in time.
  case timedOut(origin: HTTPOrigin, Duration)
  /// The server closed the connection without an answer.
  case closed(origin: HTTPOrigin)
  /// The response is malformed or truncated.
  case invalidResponse(origin: HTTPOrigin, MessageDefect)
  /// The server breaks the rules of HTTP/2. The reason is a clause.
  case invalidHTTP2(origin: HTTPOrigin, reason: String)
  /// The server has ended the request (RFC 9113, section 6.4).
  case reset(origin: HTTPOrigin, HTTP2ErrorCode)
  /// The request is malformed.
  case invalidRequest(MessageDefect)
  /// The address may not be connected to.
  case refused(origin: HTTPOrigin, ForbiddenDestinations.Reason)
  /// The caller cancelled the request.
  case cancelled

  /// The reason, in one sentence.
  public var description: String {
    switch self {
    case .cannotResolve(let host, let reason): "The name \(host) has no address: \(reason)."
    case .cannotConnect(let origin, let reason): "\(origin) cannot be reached: \(reason)."
    case .cannotSecure(let origin, let reason): "No secure connection to \(origin): \(reason)."
    case .timedOut(let origin, let duration): "\(origin) did not answer within \(duration)."
    case .closed(let origin): "\(origin) closed the connection without an answer."
    case .invalidResponse(let origin, let defect): "\(origin) sent no valid answer. \(defect)"
    case .invalidHTTP2(let origin, let reason):
      "\(origin) sent no valid HTTP/2: \(reason). With --proxy-http1, Footbridge talks HTTP/1.1 to it."
    case .reset(let origin, let code): "\(origin) ended the request with the error \(code) of HTTP/2."
    case .invalidRequest(let defect): "The request cannot be passed on. \(defect)"
    case .refused(let origin, let reason): "A connection to \(origin) is not allowed: \(reason)."
    case .cancelled: "The request was cancelled."
    }
  }
}

/// The limits of outgoing connections.
public struct HTTPClientLimits: Sendable {
  /// The limits of response heads and chunked bodies.
  public var http = HTTP1Limits()
  /// How long a server may take to accept a connection, to take the next bytes of a request and, once it has the whole
  /// request, to send the head of its response. Nil for any time, and 30 seconds for the connection. The body of the
  /// response may take any time, since it may be a stream.
  public var responseTimeout: Duration? = .seconds(30)
  /// How long each address of a server may take to accept a connection. Nil for the same time as a response.
  public var connectTimeout: Duration?
  /// How long the system of a server may leave bytes, or probes of a silent connection, unacknowledged before the connection counts as closed,
  /// in whole seconds. Nil for the time of this system, which may be a quarter of an hour. A request with a body of more than 16 KiB always
  /// has that: a server may leave it unread. Of HTTP/1.1 only.
  public var peerTimeout: Duration?
  /// How long an idle connection is kept.
  public var idleTimeout: Duration = .seconds(30)
  /// The most idle connections for one origin.
  public var idleConnections = 32
  /// How long a connection of HTTP/2 may have been silent before it gets a ping ahead of the next request.
  public var silence: Duration = .seconds(5)
  /// How long the answer to that ping may take. After that, requests go to another connection.
  public var pingTimeout: Duration = .seconds(2)

  /// Creates the default limits.
  public init() {}
}
