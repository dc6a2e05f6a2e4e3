import BridgeRuntime
import HTTP1

/// Connections that are made from here, on the same loop as those that are accepted.
@BridgeActor
struct OutgoingConnection {
  /// What its TLS connections have in common.
  let context: TLSContext
  /// Which servers' certificates are taken.
  let trust: HTTPClientTrust
  /// How long each address, and then the TLS handshake, may take. Name resolution is not counted.
  let timeout: Duration

  /// Connects to a server: its addresses are tried one after another until one answers.
  func open(to origin: HTTPOrigin) async throws -> any ByteStream {
    var failure: (any Error)?
    for address in try await SocketAddress.resolve(origin) {
      let socket: SocketStream
      do {
        let descriptor = try await ConnectingSocket.connect(to: address, of: origin, within: timeout)
        socket = SocketStream(descriptor: descriptor)
        guard socket.watch() else { throw HTTPClientError.closed(origin: origin) }
      } catch {
        failure = error
        continue
      }
      guard origin.isSecure else { return socket }
      return try await TLSStream.connect(
        context,
        to: origin,
        acceptsAnyCertificate: trust == .anyoneNearby && address.isNearby,
        on: socket,
        within: timeout
      )
    }
    throw failure ?? HTTPClientError.closed(origin: origin)
  }
}
