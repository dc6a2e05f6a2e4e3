import BridgeRuntime
import CLibwebsockets

/// A descriptor that the loop watches and that its owner reads and writes itself. The loop owns the descriptor and closes it.
@BridgeActor
class RawDescriptor {
  /// The descriptor; not to be used once ``isOpen`` is false.
  final let descriptor: Int32
  private final var wsi: OpaquePointer?
  private final var isTellingWritable = false

  /// Whether the loop still watches the descriptor.
  final var isOpen: Bool { wsi != nil }

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Hands the descriptor to the loop, which from now on keeps this object alive. On failure the descriptor is closed.
  final func watch(on host: VirtualHost) -> Bool {
    guard let pointer = host.pointer else {
      close(descriptor)
      return false
    }
    let retained = Unmanaged.passRetained(self)
    wsi = footbridge_lws_adopt_file(pointer, descriptor, VirtualHost.rawProtocol, retained.toOpaque())
    if wsi == nil { retained.release() }
    return wsi != nil
  }

  /// Asks for ``becameWritable()``.
  final func wantWrite() {
    guard let wsi else { return }
    // libwebsockets 4.1 takes the wish back when it returns from telling that the last one came true.
    if isTellingWritable {
      EventLoop.wantingWrite.append(self)
    } else {
      lws_callback_on_writable(wsi)
    }
  }

  /// The descriptor can take bytes.
  final func tellWritable() {
    isTellingWritable = true
    becameWritable()
    isTellingWritable = false
  }

  /// Turns ``becameReadable()`` on and off.
  final func setReading(_ isReading: Bool) {
    if let wsi { lws_rx_flow_control(wsi, isReading ? 1 : 0) }
  }

  /// Asks for ``timerFired()`` after `duration`, in place of an earlier such wish; nil takes it back.
  final func setTimer(_ duration: Duration?) {
    guard let wsi else { return }
    // libwebsockets 4.1 takes its own LWS_SET_TIMER_USEC_CANCEL for a time that has passed: a year from now stands for never.
    lws_set_timer_usecs(wsi, lws_usec_t((duration ?? .seconds(365 * 86_400)).milliseconds * 1000))
  }

  /// Closes the descriptor at the loop's next turn.
  final func closeSoon() {
    if let wsi { footbridge_lws_close_soon(wsi) }
  }

  func becameReadable() {}

  func becameWritable() {}

  func timerFired() {}

  /// The descriptor was closed. Subclasses call this one first.
  func closed() {
    wsi = nil
  }
}
