import BridgeRuntime
public import HTTP1
import HTTPTypes

/// The CONNECT request (RFC 9110, section 9.3.6) at the beginning of a connection.
public struct ConnectTunnel: Sendable {
  /// The host and port that the client has asked for.
  public let authority: Authority
  /// The server's data about the client. It applies to each request on the connection.
  public let note: String?

  /// Creates a tunnel.
  public init(authority: Authority, note: String? = nil) {
    self.authority = authority
    self.note = note
  }
}

extension HTTPExchange {
  /// Answers a CONNECT with 200, and simulates the server that the client has asked for. The next bytes on the connection are HTTP for this
  /// server's handler, over TLS unless `tls` is nil.
  public func serveTunnel(as tunnel: ConnectTunnel, tls: TLSContext?) {
    beginTunnel()?.serve(as: tunnel, tls: tls)
  }

  /// Answers a CONNECT with 200, and connects the client with a server: from now on, bytes from one go to the other unchanged, until both
  /// have ended or none have flowed for ``HTTPServerLimits/tunnelIdleTimeout``.
  ///
  /// - Parameters:
  ///   - authority: The server.
  ///   - client: Opens the connection.
  /// - Throws: ``HTTPClientError`` if there is no connection to the server, and ``HTTPExchangeError/tooManyTunnels``. The exchange can then
  ///   still be answered.
  public func tunnel(to authority: Authority, by client: HTTPClient) async throws {
    guard server.tunnelCount < server.limits.tunnels else {
      server.onBound?(.tunnels)
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
    // The stream reports its end only once.
    if connection.peerHasEnded { first.streamReceivedEnd() }
  }
}
