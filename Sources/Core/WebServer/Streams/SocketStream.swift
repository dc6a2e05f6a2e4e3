import BridgeRuntime
import Essentials

/// A connected stream socket: TCP, or one end of a local socket pair. The loop reports when to read and write it.
@BridgeActor
final class SocketStream: RawDescriptor, ByteStream {
  weak var delegate: (any ByteStreamDelegate)?
  private var queue: [[UInt8]] = []
  private var sentOfFirst = 0
  /// Whether the socket is full. The loop reports when it is writable again.
  private var isBlocked = false
  private(set) var queuedByteCount = 0
  private(set) var heldByteCount = 0 {
    didSet { held?.change(by: heldByteCount - oldValue) }
  }
  /// Counts the bytes that are held; nil for none.
  private let held: HeldBytes?
  private var finishesWriting = false
  private var isShutDown = false
  /// Whether the peer accepts no more bytes.
  private var peerIsDeaf = false

  /// Creates the stream of a socket.
  init(descriptor: Int32, held: HeldBytes? = nil) {
    self.held = held
    super.init(descriptor: descriptor)
  }

  /// False, since HTTP/2 is chosen by TLS.
  let isHTTP2 = false

  /// Read once, and then kept after the connection has closed.
  private(set) lazy var peerAddress: String? = numericPeerAddress(of: descriptor)

  var undeliveredByteCount: Int { isOpen ? queuedByteCount + unacknowledgedByteCount(descriptor) : 0 }

  func write(_ bytes: [UInt8]) {
    guard isOpen, !finishesWriting, !bytes.isEmpty else { return }
    // Small pieces of one turn, such as heads and chunks, are joined, and then sent with one system call.
    if let last = queue.indices.last, queue[last].count + bytes.count <= Self.longestJoined {
      queue[last] += bytes
    } else {
      queue.append(bytes)
    }
    queuedByteCount += bytes.count
    heldByteCount += bytes.count
    if !isBlocked { flushSoon() }
  }

  func finishWriting() {
    guard !finishesWriting else { return }
    finishesWriting = true
    send()
  }

  func close() {
    closeSoon()
  }

  func detachDescriptor() -> Int32? {
    send()
    return queue.isEmpty ? giveAway() : nil
  }

  override func becameReadable() {
    let count = read(descriptor, EventLoop.scratch.baseAddress, EventLoop.scratch.count)
    if count > 0 {
      delegate?.streamReceived(UnsafeRawBufferPointer(rebasing: EventLoop.scratch[..<count]))
    } else if count == 0, peerIsDeaf {
      closeSoon()
    } else if count == 0 {
      // Otherwise the loop would report the end again and again.
      setReading(false)
      delegate?.streamReceivedEnd()
    } else if errno != EAGAIN && errno != EINTR {
      closeSoon()
    }
  }

  override func becameWritable() {
    isBlocked = false
    send()
    delegate?.streamSent()
  }

  override func flush() {
    guard isOpen, !isBlocked else { return }
    send()
    delegate?.streamSent()
  }

  override func timerFired() {
    delegate?.streamTimerFired()
  }

  override func closed() {
    super.closed()
    queue = []
    queuedByteCount = 0
    heldByteCount = 0
    delegate?.streamClosed()
  }

  private static let longestJoined = 16 << 10

  /// Sends as much as the socket accepts.
  private func send() {
    // Once the descriptor is closed, another connection may have its number.
    guard isOpen else { return }
    while !peerIsDeaf, !isBlocked, let first = queue.first {
      let count = first.withUnsafeBytes { bytes in
        bytes.baseAddress.map { Essentials.write(descriptor, $0 + sentOfFirst, bytes.count - sentOfFirst) } ?? 0
      }
      if count < 0 { return writingFailed(errno) }
      queuedByteCount -= count
      sentOfFirst += count
      if sentOfFirst < first.count { return wait() }
      queue.removeFirst()
      sentOfFirst = 0
      heldByteCount -= first.count
    }
    if finishesWriting, queue.isEmpty, !isShutDown {
      isShutDown = true
      shutdown(descriptor, Int32(SHUT_WR))
    }
  }

  private func wait() {
    isBlocked = true
    wantWrite()
  }

  private func writingFailed(_ code: Int32) {
    switch code {
    case EAGAIN, EINTR: wait()
    case EPIPE, ECONNRESET:
      // What the peer sent before can still be read, perhaps an answer that says why. Its end follows.
      peerIsDeaf = true
    default: closeSoon()
    }
  }
}
