public import BridgeRuntime
import Essentials
import HTTP1
public import HTTPTypes

/// An HTTP/1.1, HTTP/2 and WebSocket server. It runs on the libwebsockets loop, which is the executor of `BridgeActor`.
///
/// It accepts connections itself, and parses HTTP/1.1 with `HTTP1` and HTTP/2, which needs TLS, with nghttp2.
/// libwebsockets only gets connections that become WebSockets.
///
/// ```swift
/// let server = try HTTPServer { exchange in
///   exchange.respond(.ok, fields: [.contentType: "text/plain"], body: Array("Hello".utf8))
/// }
/// let port = try server.listen(host: "127.0.0.1", port: 0)
/// // …
/// await server.stop()
/// ```
@BridgeActor
public final class HTTPServer: WebSocketServer {
  /// Answers one request. Nonisolated asynchronous functions that it calls run on the loop's thread, too. Run long
  /// computations on another executor.
  public typealias Handler = @BridgeActor (HTTPExchange) async -> Void

  /// The limits of the connections.
  public nonisolated let limits: HTTPServerLimits
  /// Fields that are added to every response that does not have them, except to those from other servers
  /// (``HTTPExchange/isForwarded``).
  public nonisolated let commonFields: HTTPFields
  /// Fields of every response. They replace the handler's fields of the same names.
  public nonisolated let fixedFields: HTTPFields
  /// Called each time a peer reaches a limit.
  public var onLimit: ((HTTPServerLimit) -> Void)?
  /// Called each time a WebSocket breaks.
  public var onBreak: ((WebSocketBreak) -> Void)?
  /// Called when a response is complete, with its status and the time since the request's head arrived, in nanoseconds.
  /// Not called for responses that wait for events (``HTTPExchange/waitsForEvents``).
  public var onAnswer: ((HTTPResponse.Status, _ nanoseconds: Int) -> Void)?
  let handler: Handler
  private(set) var isStopping = false
  /// Whether ``drain()`` was called.
  private(set) var isDraining = false

  private let host: VirtualHost
  private var listeners: [Listener] = []
  private var watchers: [FolderWatcher] = []
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var webSockets: [ObjectIdentifier: WebSocketConnection] = [:]
  /// How many tunnels to other servers are open or being opened.
  var tunnelCount = 0
  private var ticking: Task<Void, Never>?
  private var drained: CheckedContinuation<Void, Never>?
  private var dateCache = (now: HTTPDate(secondsSinceEpoch: 0), text: "")

  /// Creates a server, which does not listen yet.
  ///
  /// - Parameters:
  ///   - limits: The limits of its connections.
  ///   - subprotocols: The WebSocket subprotocols that it supports.
  ///   - commonFields: Fields to add to every response that does not have them.
  ///   - fixedFields: Fields of every response. They replace the handler's fields of the same names.
  ///   - handler: Answers each request.
  /// - Throws: ``HTTPServerError`` when the loop cannot start.
  public init(
    limits: HTTPServerLimits = HTTPServerLimits(),
    subprotocols: [String] = [],
    commonFields: HTTPFields = [:],
    fixedFields: HTTPFields = [:],
    handler: @escaping Handler
  ) throws {
    self.limits = limits
    self.commonFields = commonFields
    self.fixedFields = fixedFields
    self.handler = handler
    host = try VirtualHost(loop: EventLoop.start(), subprotocols: subprotocols, callback: webSocketCallback)
  }

  /// Starts the loop that all servers and clients of the process share. Does nothing if it is already running. Without
  /// this call, the first server or client starts the loop with ``EventLoopKind/automatic``.
  ///
  /// - Throws: ``HTTPServerError/libevMissing`` or ``HTTPServerError/loopUnavailable``.
  public static func startLoop(_ kind: EventLoopKind) throws {
    try EventLoop.start(kind)
  }

  /// Listens on an address.
  ///
  /// - Parameters:
  ///   - address: The address or name.
  ///   - port: The port; 0 for a free one.
  ///   - tls: Returns the TLS settings for each new connection; nil for plain HTTP.
  /// - Returns: The port that it listens on.
  /// - Throws: ``HTTPServerError``.
  public func listen(host address: String, port: Int, tls: (() -> TLSContext)? = nil) throws -> Int {
    let listener = try Listener(host: address, port: port) { [weak self] in
      self?.accept($0, tls?())
    } exhausted: { [weak self] in
      self?.onLimit?(.descriptors)
      // A TLS connection would need the descriptor for the whole handshake.
      guard let self, tls == nil else { return [] }
      return refusal(.serviceUnavailable, "This server has no file descriptors left.").encoded
    }
    guard listener.watch() else {
      throw HTTPServerError.cannotListen(host: address, port: port, reason: "the event loop did not take the socket")
    }
    listeners.append(listener)
    return listener.port
  }

  /// Watches a folder and everything in it until the server stops. Calls `onEvent` with each change.
  ///
  /// - Throws: ``HTTPServerError/cannotWatch(folder:reason:)``.
  public func watch(_ root: StaticRoot, onEvent: @escaping @BridgeActor (FolderEvent) -> Void) throws {
    watchers.append(try FolderWatcher(path: root.path, onEvent: onEvent))
  }

  /// How many connections are open, including WebSockets.
  public var connectionCount: Int { connections.count + webSockets.count }

  /// How many WebSockets are open.
  public var webSocketCount: Int { webSockets.count }

  /// Whether a request is being answered, or a part of a response is still queued. Responses that wait for events do
  /// not count (``HTTPExchange/waitsForEvents``).
  public var isAnswering: Bool { connections.values.contains(where: \.isAnswering) }

  /// Prepares to stop: an HTTP/1.1 connection closes after the next response that begins on it, an HTTP/2 connection
  /// after its open requests. New connections are still served.
  public func drain() {
    isDraining = true
    for connection in connections.values { connection.drain() }
  }

  /// Calls `answer` with each request whose response has not begun, so that nobody waits for a server that stops.
  public func answerWaiting(_ answer: (HTTPExchange) -> Void) {
    for exchange in connections.values.flatMap(\.exchanges) where !exchange.hasBegun { answer(exchange) }
  }

  /// Stops the server for good: accepts no more connections, closes those without an open request, closes WebSockets
  /// with 1001, and waits for open responses and close frames. When it returns, the ports are free.
  ///
  /// - Parameter timeout: How long to wait. Then, connections that are still open are cut.
  public func stop(timeout: Duration = .seconds(1)) async {
    guard !isStopping else { return }
    isStopping = true
    drain()
    for listener in listeners { listener.closeSoon() }
    for watcher in watchers { watcher.closeSoon() }
    EventLoop.descriptors?.settle()
    for connection in connections.values { connection.stop() }
    for webSocket in webSockets.values { webSocket.close(.goingAway, reason: "The server stops.") }
    if connectionCount > 0 {
      let deadline = Task { @BridgeActor in
        try await Task.sleep(for: timeout)
        drained?.resume()
        drained = nil
      }
      await withCheckedContinuation { drained = $0 }
      deadline.cancel()
      for connection in connections.values { connection.cut() }
    }
    host.destroy()
  }

  // MARK: Connections

  private func accept(_ descriptor: Int32, _ tls: TLSContext?) {
    let isLast = isAmongTheLast(descriptor)
    let isFull = isLast || connectionCount >= connectionLimit
    if isFull { onLimit?(.connections) }
    let isRefused = isFull && !makeRoom()
    // Half of the last descriptors are for telling clients why.
    if isRefused, isAmongTheLast(descriptor, share: 128) || connectionCount >= connectionLimit + Self.refusedConnections
    {
      close(descriptor)
      return
    }
    let socket = SocketStream(descriptor: descriptor, held: held)
    guard socket.watch() else { return }
    guard let stream = stream(on: socket, tls) else { return }
    let connection = HTTPConnection(server: self, stream: stream, isSecure: tls != nil)
    connections[ObjectIdentifier(connection)] = connection
    if isRefused { connection.refuse(.serviceUnavailable, "This server has reached its limit of connections.") }
    // The client's request has often arrived by now.
    socket.becameReadable()
  }

  /// The stream of a connection, over TLS unless `tls` is nil. Nil if there is no memory for it: the socket is closed then.
  private func stream(on socket: SocketStream, _ tls: TLSContext?) -> (any ByteStream)? {
    guard let tls else { return socket }
    return secured(socket, tls)
  }

  private func secured(_ socket: any ByteStream, _ tls: TLSContext) -> TLSStream? {
    if let stream = try? TLSStream(server: tls, on: socket) { return stream }
    onLimit?(.memory)
    socket.close()
    return nil
  }

  /// Lets the handler answer an exchange.
  func handle(_ exchange: HTTPExchange) {
    let handler = handler
    BridgeActor.begin {
      await handler(exchange)
      exchange.handlerReturned()
    }
  }

  /// Makes the response to a request that no handler gets.
  func refusal(_ status: HTTPResponse.Status, _ text: String) -> Refusal {
    let body = Array((text + "\n").utf8)
    var fields = HTTPFields()
    fields.append(HTTPField(name: .date, value: date()))
    fields.append(HTTPField(name: .contentType, value: "text/plain; charset=utf-8"))
    fields.append(HTTPField(name: .contentLength, value: String(body.count)))
    fields.append(HTTPField(name: .connection, value: "close"))
    if status == .serviceUnavailable { fields.append(HTTPField(name: .retryAfter, value: "1")) }
    fields.append(missingFrom: commonFields)
    fields.replace(by: fixedFields)
    return Refusal(status: status, fields: fields, body: body)
  }

  /// A response of the server itself. On HTTP/1.1, the connection closes after it.
  struct Refusal {
    let status: HTTPResponse.Status
    let fields: HTTPFields
    let body: [UInt8]

    /// The response in HTTP/1.1.
    var encoded: [UInt8] { HeadEncoder.encode(status, fields: fields) + body }
  }

  /// How many connections above the limit may be open while they are being refused.
  private static let refusedConnections = 256

  /// The maximum number of connections. An eighth of the process's descriptors stays free for files, upstream
  /// connections and the store.
  private lazy var connectionLimit: Int = {
    let descriptors = descriptorLimit()
    return min(limits.connections, descriptors - descriptors / 8)
  }()

  /// Closes an idle connection, as a server may at any time (RFC 9112, section 9.5). Returns false if there is none.
  private func makeRoom() -> Bool {
    guard let idle = connections.values.first(where: \.isIdle) else { return false }
    connections[ObjectIdentifier(idle)] = nil
    idle.stop()
    // Nobody holds it any more, so nobody else would close it once its last bytes are sent.
    idle.cut()
    return true
  }

  /// The name of the server's virtual host in libwebsockets.
  var hostName: String { host.name }

  /// Serves HTTP inside a tunnel, over TLS unless `tls` is nil.
  ///
  /// - Parameters:
  ///   - socket: The stream of the connection that began with the CONNECT.
  ///   - remainder: The bytes that were read after the CONNECT.
  ///   - isAtEnd: Whether the client has already ended its side.
  ///   - tunnel: The CONNECT.
  ///   - tls: The TLS settings; nil for plain HTTP.
  func serve(_ socket: any ByteStream, remainder: [UInt8], isAtEnd: Bool, as tunnel: ConnectTunnel, tls: TLSContext?) {
    let received: any ByteStreamDelegate
    let inner: HTTPConnection
    if let tls {
      guard let secured = secured(socket, tls) else { return }
      inner = HTTPConnection(server: self, stream: secured, isSecure: true, tunnel: tunnel)
      received = secured
    } else {
      inner = HTTPConnection(server: self, stream: socket, isSecure: false, tunnel: tunnel)
      received = inner
    }
    connections[ObjectIdentifier(inner)] = inner
    remainder.withUnsafeBytes { received.streamReceived($0) }
    if isAtEnd { received.streamReceivedEnd() }
  }

  func connectionEnded(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    finishIfDrained()
  }

  /// Hands a connection over to libwebsockets, which performs the WebSocket handshake. Takes ownership of the
  /// descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The connection.
  ///   - head: The handshake request for libwebsockets, and the bytes that were read after it.
  ///   - subprotocol: The negotiated subprotocol.
  /// - Throws: ``HTTPExchangeError/connectionClosed``.
  func adopt(descriptor: Int32, head: [UInt8], subprotocol: String?) throws -> WebSocketConnection {
    let connection = WebSocketConnection(server: self, subprotocol: subprotocol)
    webSockets[ObjectIdentifier(connection)] = connection
    startTicking()
    guard connection.handOver(descriptor, head: head, to: host) else { throw HTTPExchangeError.connectionClosed }
    return connection
  }

  /// Opens a WebSocket whose other end is in this process, whether or not the server listens.
  package func openInProcess(subprotocol: String? = nil) -> InProcessWebSocket {
    let connection = WebSocketConnection(server: self, subprotocol: subprotocol)
    webSockets[ObjectIdentifier(connection)] = connection
    return InProcessWebSocket(to: connection)
  }

  /// Checks regularly, as long as there are WebSockets, which ones are silent (``SilenceStateMachine``).
  private func startTicking() {
    guard ticking == nil else { return }
    let tick = SilenceStateMachine.tick(limits)
    ticking = Task { [weak self] in
      while true {
        try? await Task.sleep(for: tick)
        guard let self, !webSockets.isEmpty else { break }
        for webSocket in webSockets.values { webSocket.tick() }
      }
      self?.ticking = nil
    }
  }

  /// Counts the bytes that the connections hold.
  private(set) lazy var held = HeldBytes(limit: limits.totalBytes) { [weak self] in self?.releaseBytes() }

  /// Ends what holds the most bytes, until all hold no more than they may.
  private func releaseBytes() {
    onLimit?(.totalBytes)
    let holders: [any ByteHolder] = Array(connections.values) + Array(webSockets.values)
    var excess = holders.reduce(-limits.totalBytes) { $0 + $1.heldByteCount }
    while excess > 0, let largest = holders.max(by: { $0.heldByteCount < $1.heldByteCount }), largest.heldByteCount > 0
    {
      let former = largest.heldByteCount
      largest.release()
      guard largest.heldByteCount < former else { return }
      excess -= former - largest.heldByteCount
    }
  }

  /// What a request is told that is refused for ``HTTPServerLimits/totalBytes``.
  static let fullText = "This server holds too many bytes for its clients."

  func webSocketEnded(_ connection: WebSocketConnection) {
    webSockets[ObjectIdentifier(connection)] = nil
    finishIfDrained()
  }

  private func finishIfDrained() {
    guard isStopping, connectionCount == 0, let drained else { return }
    self.drained = nil
    drained.resume()
  }

  /// The value of the `Date` field, formatted once a second.
  func date() -> String {
    let now = HTTPDate(secondsSinceEpoch: time(nil))
    if dateCache.now != now { dateCache = (now, now.description) }
    return dateCache.text
  }
}

extension HTTPFields {
  /// Appends those of the other fields whose names are missing here.
  mutating func append(missingFrom other: HTTPFields) {
    for field in other where self[field.name] == nil { append(field) }
  }

  /// Sets each of the other fields. It replaces all fields of the same name.
  mutating func replace(by other: HTTPFields) {
    for field in other { self[field.name] = field.value }
  }
}
