import BridgeRuntime
import Essentials

/// A plain TCP connection. The loop reports when to read and write it.
@BridgeActor
final class SocketStream: RawDescriptor, ByteStream {
  weak var delegate: (any ByteStreamDelegate)?
  private var queue: [[UInt8]] = []
  private var sentOfFirst = 0
  /// Whether the socket is full until the loop reports that it is writable.
  private var isBlocked = false
  private(set) var queuedByteCount = 0
  private var finishesWriting = false
  private var isShutDown = false
  private var peerIsDeaf = false

  /// Without TLS, nothing is agreed on before the first bytes.
  let isHTTP2 = false

  /// Stays known once it was read.
  private(set) lazy var peerAddress: String? = numericPeerAddress(of: descriptor)

  func write(_ bytes: [UInt8]) {
    guard isOpen, !finishesWriting, !bytes.isEmpty else { return }
    // Bytes of one turn are sent together, since heads and chunks are small.
    if let last = queue.indices.last, queue[last].count + bytes.count <= Self.longestJoined {
      queue[last] += bytes
    } else {
      queue.append(bytes)
    }
    queuedByteCount += bytes.count
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
      // Otherwise the end would be reported again and again.
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
    delegate?.streamClosed()
  }

  private static let longestJoined = 16 << 10

  /// Sends as much as the socket takes.
  private func send() {
    // Another connection may have the number of a closed descriptor by now.
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
      // The bytes that the peer sent before, perhaps an answer that says why, can still be read. The end follows.
      peerIsDeaf = true
    default: closeSoon()
    }
  }
}
