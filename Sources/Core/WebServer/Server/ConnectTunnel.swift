import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// The CONNECT request (RFC 9110, section 9.3.6) that a connection began with. The requests after it come through the
/// tunnel.
public struct ConnectTunnel: Sendable {
  /// The host and port that the client asked to connect to.
  public let authority: Authority
  /// What the handler of the CONNECT stored for the requests in the tunnel, such as who the client is.
  public let note: String?

  /// Creates a tunnel.
  public init(authority: Authority, note: String? = nil) {
    self.authority = authority
    self.note = note
  }
}

extension HTTPExchange {
  /// Answers a CONNECT with 200, and acts as the server that the client asked for. The next bytes on the connection are
  /// requests to this server's handler.
  ///
  /// Does nothing when the exchange has an answer, its peer has gone, or it uses HTTP/2.
  ///
  /// - Parameters:
  ///   - tunnel: What ``HTTPExchange/tunnel`` returns for these requests.
  ///   - tls: The TLS settings of the simulated server; nil for plain HTTP.
  public func serveTunnel(as tunnel: ConnectTunnel, tls: TLSContext?) {
    beginTunnel()?.serve(as: tunnel, tls: tls)
  }

  /// Connects to a server, answers a CONNECT with 200, and forwards the bytes of each side to the other unchanged. The
  /// tunnel ends when both sides have ended, or when no bytes flow for ``HTTPServerLimits/tunnelIdleTimeout``.
  ///
  /// Returns as soon as the tunnel is open. If the exchange has an answer by then, its peer has gone, or it uses
  /// HTTP/2, closes the connection to the server instead.
  ///
  /// - Parameters:
  ///   - authority: The server.
  ///   - client: Opens the connection.
  /// - Throws: ``HTTPClientError`` if the server cannot be reached, and ``HTTPExchangeError/tooManyTunnels``. The
  ///   exchange can then still be answered.
  public func tunnel(to authority: Authority, by client: HTTPClient) async throws {
    guard server.tunnelCount < server.limits.tunnels else {
      server.onLimit?(.tunnels)
      throw HTTPExchangeError.tooManyTunnels
    }
    server.tunnelCount += 1
    let upstream: any ByteStream
    do {
      upstream = try await client.openStream(to: authority)
    } catch {
      server.tunnelCount -= 1
      throw error
    }
    guard !hasBegun, !isAborted, let connection = http1 else {
      server.tunnelCount -= 1
      return upstream.close()
    }
    let (tunnel, first, second) = Tunnel.join(
      connection.stream, upstream, idleTimeout: server.limits.tunnelIdleTimeout
    ) { [weak server] in server?.tunnelCount -= 1 }
    upstream.delegate = second
    let remainder = switchProtocols(HeadEncoder.encode(Self.established), of: connection, to: first)
    if !remainder.isEmpty { tunnel.send(remainder, to: .second) }
    // The stream has already reported its end, and does so only once.
    if connection.peerHasEnded { first.streamReceivedEnd() }
  }

  /// Answers 101 (Switching Protocols; RFC 9110, section 15.2.2), and forwards the bytes of each peer to the other
  /// unchanged, until both have ended.
  ///
  /// If this exchange has an answer, its peer has gone, or it uses HTTP/2, closes the other connection instead.
  ///
  /// - Parameters:
  ///   - upstream: An exchange whose server has answered 101.
  ///   - fields: The fields of the 101 for this exchange's client.
  ///   - silence: After how long without bytes from the other server to close both connections; nil for never.
  ///   - onEnd: Called when both connections are closed.
  /// - Returns: A function that closes both connections; nil if there is no tunnel.
  @discardableResult
  public func tunnel(
    to upstream: HTTPClientExchange, fields: HTTPFields, silence: Duration? = nil, onEnd: (() -> Void)? = nil
  ) -> (() -> Void)? {
    guard let upstreamConnection = upstream.takeConnection() else { return nil }
    let (upstreamStream, answered) = upstreamConnection.detach()
    guard !hasBegun, !isAborted, let connection = http1 else {
      upstreamStream.close()
      return nil
    }
    let (tunnel, client, server) = Tunnel.join(connection.stream, upstreamStream, onEnd: onEnd)
    upstreamConnection.hand(to: server)
    let remainder = switchProtocols(
      HeadEncoder.encode(.switchingProtocols, fields: fields), of: connection, to: client)
    tunnel.send(remainder, to: .second)
    tunnel.send(answered, to: .first)
    tunnel.endAfterSilence(of: silence)
    upstreamStream.setReading(true)
    return { [weak tunnel] in tunnel?.cut() }
  }
}
