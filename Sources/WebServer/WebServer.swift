public import BridgeRuntime
import CLibwebsockets
import Foundation
import HTTP1
public import HTTPTypes

/// An HTTP/1.1 and WebSocket server on the libwebsockets loop, which is the executor of `BridgeActor`.
///
/// Connections are accepted and their requests read here, strictly; libwebsockets is handed those that become WebSockets.
@BridgeActor
public final class WebServer {
  /// Answers one request. Asynchronous code of no actor that it calls runs on the loop's thread too: what computes for long names another
  /// executor.
  public typealias Handler = @BridgeActor (HTTPExchange) async -> Void

  /// The bounds of the connections.
  public nonisolated let limits: WebServerLimits
  /// Fields that every response has which does not have them otherwise; those that an exchange passes on for another server aside.
  public nonisolated let commonFields: HTTPFields
  /// Called each time that a peer reaches a bound.
  public var onBound: ((WebServerBound) -> Void)?
  /// Called each time that a WebSocket breaks.
  public var onBreak: ((WebSocketBreak) -> Void)?
  let handler: Handler
  private(set) var isStopping = false

  private let host: VirtualHost
  private var listeners: [Listener] = []
  private var watchers: [FolderWatcher] = []
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var webSockets: [ObjectIdentifier: WebSocketConnection] = [:]
  private var ticking: Task<Void, Never>?
  private var drained: CheckedContinuation<Void, Never>?
  private var dateCache = (now: HTTPDate(secondsSinceEpoch: 0), text: "")

  /// Connections on their way into libwebsockets, by descriptor: its handshake may come in a later turn.
  private static var handedOver: [Int32: WebSocketConnection] = [:]

  /// Creates a server that listens nowhere yet. `subprotocols` are those that its WebSockets may agree on.
  public init(
    limits: WebServerLimits = WebServerLimits(),
    subprotocols: [String] = [],
    commonFields: HTTPFields = [:],
    handler: @escaping Handler
  ) throws {
    self.limits = limits
    self.commonFields = commonFields
    self.handler = handler
    host = try VirtualHost(loop: EventLoop.start(), subprotocols: subprotocols)
  }

  /// Starts the loop that all servers and clients of the process share, as `kind` says, unless it is running already. Without it the first
  /// of them starts one of ``EventLoopKind/poll``. Throws ``WebServerError``.
  public static func startLoop(_ kind: EventLoopKind) throws {
    try EventLoop.start(kind)
  }

  /// Listens on an address; port 0 picks a free port. With `tls`, for TLS alone: it says what each new connection is made with. Returns the
  /// port. Throws ``WebServerError``.
  public func listen(host address: String, port: Int, tls: (() -> TLSContext)? = nil) throws -> Int {
    let listener = try Listener(host: address, port: port) { [weak self] in
      self?.accept($0, tls?())
    } exhausted: { [weak self] in
      self?.onBound?(.descriptors)
      // A TLS handshake would take a while for which there is no descriptor.
      guard let self, tls == nil else { return [] }
      return refusal(.serviceUnavailable, "The system gives this server no more descriptors.")
    }
    guard listener.watch() else {
      throw WebServerError.cannotListen(host: address, port: port, reason: "the event loop did not take the socket")
    }
    listeners.append(listener)
    return listener.port
  }

  /// Watches a folder and what is below it, until the server stops. Throws ``WebServerError/cannotWatch(folder:reason:)``.
  public func watch(_ root: StaticRoot, onEvent: @escaping @BridgeActor (FolderEvent) -> Void) throws {
    watchers.append(try FolderWatcher(path: root.path, onEvent: onEvent))
  }

  /// How many connections are open, WebSockets included.
  public var connectionCount: Int { connections.count + webSockets.count }

  /// Stops: accepts nothing more, closes idle connections and, with 1001, WebSockets, and lets open responses end. What is still open
  /// after `timeout` is cut. The ports are free when it returns.
  public func stop(timeout: Duration = .seconds(1)) async {
    guard !isStopping else { return }
    isStopping = true
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
    let isFull = connectionCount >= connectionLimit
    if isFull { onBound?(.connections) }
    let isRefused = isFull && !makeRoom()
    guard !isRefused || connectionCount < connectionLimit + Self.refusedConnections else {
      close(descriptor)
      return
    }
    let socket = SocketStream(descriptor: descriptor)
    guard socket.watch() else { return }
    let stream: any ByteStream = tls.map { TLSStream(server: $0, on: socket) } ?? socket
    let connection = HTTPConnection(server: self, stream: stream, isSecure: tls != nil)
    connections[ObjectIdentifier(connection)] = connection
    if isRefused { connection.refuse(.serviceUnavailable, "This server has as many connections as it may have.") }
    // Clients send with their first packet what they want: often it is there.
    socket.becameReadable()
  }

  /// The response to a connection that is closed after it.
  func refusal(_ status: HTTPResponse.Status, _ text: String) -> [UInt8] {
    let body = Array((text + "\n").utf8)
    var fields = HTTPFields()
    fields.append(HTTPField(name: .date, value: date()))
    fields.append(HTTPField(name: .contentType, value: "text/plain; charset=utf-8"))
    fields.append(HTTPField(name: .contentLength, value: String(body.count)))
    fields.append(HTTPField(name: .connection, value: "close"))
    fields.append(missingFrom: commonFields)
    return HeadEncoder.encode(status, fields: fields) + body
  }

  /// How many connections more than there may be are open for as long as it takes to say so.
  private static let refusedConnections = 256

  /// Some descriptors are left for what connections need besides their own: files, upstreams, the store.
  private lazy var connectionLimit: Int = {
    let descriptors = descriptorLimit()
    return min(limits.connections, descriptors - descriptors / 8)
  }()

  /// Closes a connection that is idle, as a server may at any time (RFC 9112, section 9.5). False when there is none.
  private func makeRoom() -> Bool {
    guard let idle = connections.values.first(where: \.isIdle) else { return false }
    connections[ObjectIdentifier(idle)] = nil
    idle.stop()
    return true
  }

  /// The name by which libwebsockets knows the server.
  var hostName: String { host.name }

  func connectionEnded(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    finishIfDrained()
  }

  /// Hands a connection whose handshake was accepted to libwebsockets.
  func adopt(descriptor: Int32, head: [UInt8], subprotocol: String?) throws -> WebSocketConnection {
    guard let pointer = host.pointer else {
      close(descriptor)
      throw HTTPExchangeError.connectionClosed
    }
    let connection = WebSocketConnection(server: self, subprotocol: subprotocol)
    webSockets[ObjectIdentifier(connection)] = connection
    startTicking()
    Self.handedOver[descriptor] = connection
    let wsi = head.withUnsafeBytes { bytes in
      EventLoop.withoutErrorReports {
        lws_adopt_socket_vhost_readbuf(pointer, descriptor, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
      }
    }
    if wsi == nil, Self.handedOver.removeValue(forKey: descriptor) != nil {
      connection.failed()
      throw HTTPExchangeError.connectionClosed
    }
    return connection
  }

  /// Opens a WebSocket whose other end is in this process, whether or not the server listens.
  package func openInProcess(subprotocol: String? = nil) -> InProcessWebSocket {
    let connection = WebSocketConnection(server: self, subprotocol: subprotocol)
    webSockets[ObjectIdentifier(connection)] = connection
    return InProcessWebSocket(to: connection)
  }

  /// Has silent WebSockets sent pings and, in the end, closed, for as long as there are any.
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

  static func takeHandedOver(_ descriptor: Int32) -> WebSocketConnection? {
    handedOver.removeValue(forKey: descriptor)
  }

  /// How many bytes the WebSockets hold.
  private var webSocketByteCount = 0

  /// A WebSocket holds so many bytes more, or fewer.
  func webSocketHolds(_ change: Int) {
    webSocketByteCount += change
    guard webSocketByteCount > limits.webSocketBytes, change > 0 else { return }
    onBound?(.totalBytes)
    webSockets.values.max { $0.heldByteCount < $1.heldByteCount }?.closeAtBound("This server holds too much.")
  }

  func webSocketEnded(_ connection: WebSocketConnection) {
    webSockets[ObjectIdentifier(connection)] = nil
    finishIfDrained()
  }

  private func finishIfDrained() {
    guard isStopping, connectionCount == 0, let drained else { return }
    self.drained = nil
    drained.resume()
  }

  /// The present moment as `Date` has it, formatted once a second.
  func date() -> String {
    let now = HTTPDate(secondsSinceEpoch: time(nil))
    if dateCache.now != now { dateCache = (now, now.description) }
    return dateCache.text
  }
}
