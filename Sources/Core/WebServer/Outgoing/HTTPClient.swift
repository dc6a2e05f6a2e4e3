public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// Sends requests over HTTP/1.1, or over HTTP/2 if an https server chooses it, and keeps connections open for the next
/// requests. It runs on the event loop of `BridgeActor`.
///
/// ```swift
/// let client = try HTTPClient()
/// guard let origin = HTTPOrigin("https://id.example") else { return }
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
  ///   - trust: Which server certificates it accepts.
  ///   - forbidden: The addresses that it refuses to connect to.
  ///   - offersHTTP2: Whether https servers may choose HTTP/2. Requests with `Upgrade` are always sent over HTTP/1.1.
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

  /// Opens a TCP connection without TLS, for a caller that reads and writes its bytes.
  func openStream(to authority: Authority) async throws -> any ByteStream {
    try await outgoing.open(to: HTTPOrigin(isSecure: false, authority: authority))
  }

  /// Begins a request. The exchange reports failures.
  ///
  /// Over HTTP/1.1, an idempotent request (RFC 9110, section 9.2.2) without a body reuses an idle connection. If that
  /// turns out to be closed, the request is sent again (RFC 9112, section 9.3.1). Any other request gets a new
  /// connection: when a server closes an old one, nobody knows whether it has acted on the request.
  ///
  /// Over HTTP/2, the requests to an origin share a connection, as far as its limit of streams allows. A request that
  /// the server has not processed is sent again (RFC 9113, section 8.7), unless the beginning of its body is no longer
  /// stored.
  ///
  /// - Parameters:
  ///   - head: The head. No fields are added, so it must have `Host`, and `Content-Length` or `Transfer-Encoding` if
  ///     there is a body.
  ///   - origin: The server.
  /// - Returns: The exchange.
  public func send(_ head: RequestHead, to origin: HTTPOrigin) -> HTTPClientExchange {
    let exchange = HTTPClientExchange(head: head, origin: origin, client: self)
    connect(exchange)
    return exchange
  }

  /// Stops the client for good: closes all connections. Open exchanges fail, and so do later requests.
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

  /// Begins an exchange on a new HTTP/1.1 connection.
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

  /// Keeps an idle connection for the next request. Returns false if there are enough of them.
  func retain(_ connection: HTTPClientConnection) -> Bool {
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
  /// Any certificate of a server on this machine or in a private network, since development servers often have
  /// self-signed ones. For other servers, the same as ``system``.
  case anyoneNearby
}

/// Why a request got no complete response.
public enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system finds no address of the host.
  case cannotResolve(host: String, reason: String)
  /// No address of the host accepts a connection.
  case cannotConnect(origin: HTTPOrigin, reason: String)
  /// This process has no descriptor left for a connection.
  case noDescriptor(origin: HTTPOrigin)
  /// The TLS handshake failed.
  case cannotSecure(origin: HTTPOrigin, reason: String)
  /// The server did not answer in time.
  case timedOut(origin: HTTPOrigin, Duration)
  /// The server closed the connection without an answer, or the client was stopped.
  case closed(origin: HTTPOrigin)
  /// The response is malformed or truncated.
  case invalidResponse(origin: HTTPOrigin, MessageDefect)
  /// The server broke a rule of HTTP/2, which `reason` names as a clause.
  case invalidHTTP2(origin: HTTPOrigin, reason: String)
  /// The server has reset the stream of the request (RFC 9113, section 6.4).
  case reset(origin: HTTPOrigin, HTTP2ErrorCode)
  /// The request is malformed.
  case invalidRequest(MessageDefect)
  /// The client must not connect to this address (``ForbiddenDestinations``).
  case refused(origin: HTTPOrigin, ForbiddenDestinations.Reason)
  /// The caller cancelled the request, or wrote more of its body after the response was complete.
  case cancelled

  /// The reason, in one sentence.
  public var description: String {
    switch self {
    case .cannotResolve(let host, let reason): "The system finds no address of \(host): \(reason)."
    case .cannotConnect(let origin, let reason): "\(origin) cannot be reached: \(reason)."
    case .noDescriptor(let origin): "Footbridge has no file descriptor left for a connection to \(origin)."
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
  /// How long a server may take to accept the next bytes of a request and, once it has the whole request, to send the
  /// head of its response. Nil for no limit. There is no limit for the body of the response, since it may be a stream.
  public var responseTimeout: Duration? = .seconds(30)
  /// How long each address of a server may take to accept a connection, and then how long the TLS handshake may take.
  /// Nil for ``responseTimeout`` or, if that is nil, 30 seconds.
  public var connectTimeout: Duration?
  /// How long the server's system may leave bytes, or probes of a silent connection, unacknowledged before the
  /// connection counts as closed, in whole seconds. Nil for this system's default, which may be a quarter of an hour.
  ///
  /// Applies to HTTP/1.1 only, and not to requests with a body of more than 16 KiB or of unknown length, which the
  /// server may leave unread for longer.
  public var peerTimeout: Duration?
  /// How long to keep an idle connection open.
  public var idleTimeout: Duration = .seconds(30)
  /// The maximum number of idle HTTP/1.1 connections to one origin.
  public var idleConnections = 32
  /// After how much silence an HTTP/2 connection gets a ping before its next request.
  public var silence: Duration = .seconds(5)
  /// How long the answer to that ping may take. After that, requests use another connection.
  public var pingTimeout: Duration = .seconds(2)

  /// Creates the default limits.
  public init() {}
}
