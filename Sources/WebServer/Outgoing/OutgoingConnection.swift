import BridgeRuntime
import HTTP1

/// Opens outgoing connections, on the same loop as accepted ones.
@BridgeActor
struct OutgoingConnection {
  /// The TLS context of all its connections.
  let context: TLSContext
  /// Which server certificates it accepts.
  let trust: HTTPClientTrust
  /// How long each address, and then the TLS handshake, may take. Name resolution does not count.
  let timeout: Duration

  /// Connects to a server. Tries its addresses one after another until one answers.
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
