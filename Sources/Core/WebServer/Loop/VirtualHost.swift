import BridgeRuntime
import CLibwebsockets

/// One server in libwebsockets' terms: a virtual host without a listener, and its protocols.
@BridgeActor
final class VirtualHost {
  /// Gets libwebsockets' events of the host's connections. A result other than 0 makes it close the connection.
  typealias Callback =
    @convention(c) (OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) ->
    Int32

  /// The host's name, unique in the process. libwebsockets chooses the virtual host by the `Host` of the handshake,
  /// even though it was told the host when it adopted the connection.
  let name: String

  private static var count = 0

  private let context: OpaquePointer
  private let names: [UnsafeMutablePointer<CChar>]
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let validity: UnsafeMutablePointer<lws_retry_bo_t>
  private(set) var pointer: OpaquePointer?

  /// Creates the host. A WebSocket without a subprotocol uses libwebsockets' first protocol, whose name is never sent.
  ///
  /// - Throws: ``HTTPServerError/loopUnavailable``.
  init(loop: EventLoop, subprotocols: [String], callback: Callback) throws {
    context = loop.context
    Self.count += 1
    // The suffix ensures that no name is a prefix of another one.
    name = "host-\(Self.count).footbridge"
    names = (["footbridge-websocket"] + subprotocols + [name]).compactMap { strdup($0) }
    // libwebsockets keeps pointers to all three until it calls `finalize`, which frees them. The last name is the
    // host's own, and its protocol stays empty as the end of the list.
    protocols = .allocate(capacity: names.count)
    protocols.initialize(repeating: lws_protocols(), count: names.count)
    for (index, name) in names.dropLast().enumerated() {
      protocols[index].name = UnsafePointer(name)
      protocols[index].callback = callback
      // The size of one read. Each connection has a buffer of this size, but an idle page has not touched it: with 2 kB, it takes
      // 1 kB less, and a message of 14 MB 40 % more CPU time (`make bench PARTS="idle large"`).
      protocols[index].rx_buffer_size = 8192
      // The size of one write.
      protocols[index].tx_packet_size = 65_536
    }
    validity = .allocate(capacity: 1)
    // All zero, since this module sends pings itself. Without a policy, libwebsockets would use its default one.
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
      throw HTTPServerError.loopUnavailable
    }
    self.pointer = pointer
  }

  /// Closes the host with all its connections. libwebsockets may free it later.
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
