import BridgeRuntime

/// Connections that are made from here, on the same loop as those that are accepted.
@BridgeActor
enum OutgoingConnection {
  /// Connects to a server: its addresses are tried one after another until one answers. Name resolution is not counted into `time`,
  /// which each address is given anew.
  static func open(to origin: HTTPOrigin, on host: VirtualHost, within time: Duration) async throws -> any ByteStream {
    var failure: (any Error)?
    for address in try await SocketAddress.resolve(origin) {
      do {
        let descriptor = try await ConnectingSocket.connect(to: address, of: origin, on: host, within: time)
        let socket = SocketStream(descriptor: descriptor)
        guard socket.watch(on: host) else { throw HTTPClientError.closed(origin: origin) }
        return socket
      } catch {
        failure = error
      }
    }
    throw failure ?? HTTPClientError.closed(origin: origin)
  }
}
