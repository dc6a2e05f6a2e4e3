import BridgeRuntime
import CLibwebsockets

/// What libwebsockets knows of one server: a virtual host without a listener, and the protocols that its connections can have.
@BridgeActor
final class VirtualHost {
  /// The host's name, which no other host of the process has: libwebsockets goes by the `Host` of a handshake to find the host, whichever
  /// one the connection was given to, and takes any that listens on the same port, be that none.
  let name: String

  private static var count = 0

  private let context: OpaquePointer
  private let names: [UnsafeMutablePointer<CChar>]
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let validity: UnsafeMutablePointer<lws_retry_bo_t>
  private(set) var pointer: OpaquePointer?

  /// Creates the host. A WebSocket without a subprotocol has the first protocol, which has no name of its own on the wire.
  init(loop: EventLoop, subprotocols: [String]) throws {
    context = loop.context
    Self.count += 1
    // The point keeps a name from being the beginning of another one.
    name = "host-\(Self.count).footbridge"
    names = (["footbridge-websocket"] + subprotocols + [name]).compactMap { strdup($0) }
    // libwebsockets keeps pointers to all three for as long as the host lives; they are freed in `finalize`.
    // The last name is the host's own: what follows the last protocol must be empty.
    protocols = .allocate(capacity: names.count)
    protocols.initialize(repeating: lws_protocols(), count: names.count)
    for (index, name) in names.dropLast().enumerated() {
      protocols[index].name = UnsafePointer(name)
      protocols[index].callback = libwebsocketsCallback
      // How much one read, and one write, moves. Of the buffer that each connection has of this size an idle one touches a page or two.
      protocols[index].rx_buffer_size = 65_536
    }
    validity = .allocate(capacity: 1)
    // All zero: WebSockets are pinged from here, and without a policy libwebsockets takes one of its own.
    validity.initialize(to: lws_retry_bo_t())

    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.options = footbridge_lws_context_options()
    info.vhost_name = names.last.map { UnsafePointer($0) }
    info.protocols = UnsafePointer(protocols)
    info.retry_and_idle_policy = UnsafePointer(validity)
    info.finalize = { _, argument in
      guard let argument else { return }
      BridgeActor.assumeIsolated(argument) { Unmanaged<VirtualHost>.fromOpaque($0).takeRetainedValue().free() }
    }
    let retained = Unmanaged.passRetained(self)
    info.finalize_arg = retained.toOpaque()
    guard let pointer = lws_create_vhost(context, &info) else {
      retained.release()
      free()
      throw WebServerError.loopUnavailable
    }
    self.pointer = pointer
  }

  /// Closes every connection of the host, and the host.
  func destroy() {
    guard let pointer else { return }
    self.pointer = nil
    lws_vhost_destroy(pointer)
  }

  private func free() {
    for name in names { name.deallocate() }
    protocols.deallocate()
    validity.deallocate()
  }
}
