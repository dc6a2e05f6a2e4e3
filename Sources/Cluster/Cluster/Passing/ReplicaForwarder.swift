package import BridgeRuntime
import BridgeServer
import Cryptography
import HTTP1
import HTTPTypes
import Logging
import Sessions
import WebServer

/// Passes requests on to other replicas, and their answers back. Neither is changed: to browsers, all replicas are one server.
@BridgeActor
package final class ReplicaForwarder {
  /// The number of requests that were passed on so far.
  package private(set) var count = 0
  /// The requests that are being passed on now.
  package let open = ForwardedRequests()
  private var unreachable = UnreachableReplicas()
  /// The last mark.
  private var serial = MarkSerial(sender: BridgeRandom().token(), number: 0)

  /// The host and port of the server itself. The dashboard has another port, but its requests are passed on with this one.
  package var serverAuthority: String?

  private let authentication: AuthenticationCode
  private let client: HTTPClient
  private let longestSilence: Duration
  private let logger: Logger

  /// The maximum time for another replica's list of sessions.
  private static let listTimeout = Duration.seconds(5)
  /// The largest list of sessions, in bytes.
  private static let listByteLimit = 64 << 20

  /// Throws `HTTPServerError` when the loop cannot start.
  ///
  /// - Parameter longestSilence: How long the owner of a session may send nothing to a page.
  init(_ authentication: AuthenticationCode, longestSilence: Duration, logger: Logger) throws {
    self.authentication = authentication
    self.longestSilence = longestSilence
    self.logger = logger
    var limits = HTTPClientLimits()
    // No time limit: a rule of a test may hold an answer for any time. Requests end with the replica that they go to.
    limits.responseTimeout = nil
    // The lease of a replica that has ended runs out meanwhile, and the request goes to the next owner.
    limits.connectTimeout = .seconds(2)
    // A network that drops everything does not end a request that waits for its answer.
    limits.peerTimeout = .seconds(10)
    client = try HTTPClient(limits: limits)
  }

  /// Closes all connections.
  func stop() { client.stop() }

  /// Passes a request on to the owner of its session.
  func forward(_ exchange: HTTPExchange, to replica: Replica, _ hop: ReplicaHop) async -> ForwardingStateMachine.Attempt
  {
    guard unreachable.mayTry(replica, at: MonotonicTime.nanoseconds),
      let (upstream, seal) = send(exchange.head, to: replica, hop)
    else { return .failed }
    count += 1
    exchange.hasNoTimeout = true
    exchange.follow(upstream)
    let over = open.add(to: replica) { upstream.cancel() }
    defer { over() }
    let body = PassedOnBody(of: exchange, to: upstream, seal: seal)
    body.start()
    do {
      let answer = try await relayInterim(of: upstream, to: exchange)
      unreachable.forget(replica)
      if answer.endsHTTP {
        tunnel(exchange, to: upstream, answer, replica)
      } else if answer.fields[ReplicaHop.field] == ReplicaHop.handedBack {
        while try await upstream.nextBodyPiece() != nil {}
        return await body.takeBack() ? .handedBack : .interrupted
      } else if answer.fields[ReplicaHop.field] == ReplicaHop.repeated {
        // The connection broke after the other replica had the request, and the client has sent it again.
        while try await upstream.nextBodyPiece() != nil {}
        return await body.takeBack() && Self.isRepeatable(exchange.head) ? .failed : .interrupted
      } else {
        try await relay(answer, of: upstream, to: exchange)
      }
      return .answered
    } catch {
      // A response that has begun is cut. The client then knows that it is incomplete.
      if exchange.hasBegun { return .answered }
      if exchange.peerHasEnded {
        exchange.respond(.clientClosedRequest)
        return .answered
      }
      logger.debug("A request could not be passed on: \(error)", metadata: ["replica": "\(replica.address)"])
      if Self.hasNoEffect(error) { unreachable.failed(replica, at: MonotonicTime.nanoseconds) }
      guard await body.takeBack() else { return .interrupted }
      return Self.hasNoEffect(error) || Self.isRepeatable(exchange.head) ? .failed : .interrupted
    }
  }

  /// Ends all requests to a replica that has ended.
  func ended(_ replica: Replica) {
    open.end(with: replica)
    unreachable.forget(replica)
  }

  /// Asks another replica for its own part of an answer; nil if it does not answer in time.
  func ask(
    _ replica: Replica, _ head: RequestHead, isSecure: Bool, _ destination: RequestDestination
  ) async -> [UInt8]? {
    let hop = ReplicaHop(
      receiver: replica.id, session: nil, isSecure: isSecure, address: nil, destination: destination)
    guard let (upstream, _) = send(head, to: replica, hop) else { return nil }
    let over = open.add(to: replica) { upstream.cancel() }
    let timeout = Task {
      try await Task.sleep(for: Self.listTimeout)
      upstream.cancel()
    }
    defer {
      timeout.cancel()
      over()
    }
    do {
      guard try await upstream.nextHead().status == .ok else {
        upstream.cancel()
        return nil
      }
      var bytes: [UInt8] = []
      while let piece = try await upstream.nextBodyPiece() {
        bytes += piece
        guard bytes.count <= Self.listByteLimit else {
          upstream.cancel()
          return nil
        }
      }
      return bytes
    } catch {
      return nil
    }
  }

  // MARK: The request

  /// Sends the head of a request. Returns the code that must follow its body, too; nil if none must.
  private func send(
    _ head: RequestHead, to replica: Replica, _ hop: ReplicaHop
  ) -> (exchange: HTTPClientExchange, seal: RunningCode?)? {
    guard let authority = Authority(replica.address),
      let passed = try? self.head(for: head, hop, version: replica.markVersion)
    else { return nil }
    let seal = ReplicaHop.sealsBody(replica.markVersion) ? BodySeal.begin(authentication, serial) : nil
    return (client.send(passed, to: HTTPOrigin(isSecure: false, authority: authority)), seal)
  }

  private func head(for head: RequestHead, _ hop: ReplicaHop, version: Int) throws(MessageDefect) -> RequestHead {
    let target =
      if case .absolute(_, _, let path, let query) = head.target {
        RequestTarget.origin(path: path.isEmpty ? "/" : path, query: query)
      } else {
        head.target
      }
    let isFromDashboard = hop.destination == .dashboard
    let host = (isFromDashboard ? serverAuthority : nil) ?? head.authority?.rawValue ?? ""
    var fields = [HTTPField(name: .hostField, value: host)]
    for field in head.fields.withoutHopByHopFields
    where field.name != .hostField && field.name != .expect && field.name != ReplicaHop.field {
      // A tab's bearer is valid at its own dashboard only.
      if !isFromDashboard || field.name != .authorization { fields.append(field) }
    }
    if head.bodyFraming == .chunked { fields.append(HTTPField(name: .transferEncoding, value: "chunked")) }
    if head.upgradeProtocols.contains(where: { $0.lowercased() == "websocket" }) {
      fields.append(HTTPField(name: .upgrade, value: "websocket"))
      fields.append(HTTPField(name: .connection, value: "Upgrade"))
    }
    if head.bodyFraming.hasBody, ReplicaHop.sealsBody(version),
      let longer = BodySeal.fields(HTTPFields(inOrder: fields), longerBy: BodySeal.byteCount)
    {
      fields = Array(longer)
    }
    let plain = try RequestHead(method: head.method, target: target, fields: HTTPFields(inOrder: fields))
    serial = MarkSerial(sender: serial.sender, number: serial.number + 1)
    fields.append(hop.field(for: plain, authentication, serial: serial, version: version))
    return try RequestHead(method: head.method, target: target, fields: HTTPFields(inOrder: fields))
  }

  private static func isRepeatable(_ head: RequestHead) -> Bool {
    [.get, .head, .options, .trace, .put, .delete].contains(head.method)
  }

  /// Whether nothing of the request has reached the other replica.
  private static func hasNoEffect(_ error: any Error) -> Bool {
    switch error as? HTTPClientError {
    // Only connecting has a time limit.
    case .cannotConnect, .cannotResolve, .noDescriptor, .refused, .timedOut: true
    default: false
    }
  }

  // MARK: The answer

  /// Passes informational responses, and returns the final one.
  private func relayInterim(of upstream: HTTPClientExchange, to exchange: HTTPExchange) async throws -> ResponseHead {
    while true {
      let answer = try await upstream.nextHead()
      guard answer.status.kind == .informational, !answer.endsHTTP else { return answer }
      // Reading the body has answered an expectation already.
      if answer.status.code != 100 {
        exchange.inform(answer.status, fields: HTTPFields(inOrder: Array(answer.fields.withoutHopByHopFields)))
      }
    }
  }

  private func relay(_ answer: ResponseHead, of upstream: HTTPClientExchange, to exchange: HTTPExchange) async throws {
    let fields = HTTPFields(inOrder: Array(answer.fields.withoutHopByHopFields))
    exchange.isForwarded = true
    exchange.waitsForEvents = answer.fields[.contentType]?.lowercased().hasPrefix("text/event-stream") ?? false
    exchange.begin(answer.status, fields: fields, length: fields[.contentLength].flatMap { Int($0) })
    while let piece = try await upstream.nextBodyPiece() { try await exchange.write(piece) }
    exchange.finish(trailers: upstream.trailers)
  }

  private func tunnel(
    _ exchange: HTTPExchange, to upstream: HTTPClientExchange, _ answer: ResponseHead, _ replica: Replica
  ) {
    var fields = HTTPFields(inOrder: Array(answer.fields.withoutHopByHopFields))
    for name in answer.fields[values: .upgrade] { fields.append(HTTPField(name: .upgrade, value: name)) }
    fields.append(HTTPField(name: .connection, value: "Upgrade"))
    var over: (() -> Void)?
    // A site's own sockets may be silent for any time.
    let isOfPage = exchange.head.target.path == OwnPath.bridge
    let cut = exchange.tunnel(to: upstream, fields: fields, silence: isOfPage ? longestSilence : nil) { over?() }
    if let cut { over = open.add(to: replica, cut) }
  }
}
