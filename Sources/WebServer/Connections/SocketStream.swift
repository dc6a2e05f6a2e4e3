import BridgeRuntime
import Foundation

/// A plain TCP connection that is read and written here; the loop only says when.
@BridgeActor
final class SocketStream: RawDescriptor, ByteStream {
  weak var delegate: (any ByteStreamDelegate)?
  private var queue: [[UInt8]] = []
  private var sentOfFirst = 0
  private(set) var queuedByteCount = 0
  private var finishesWriting = false
  private var isShutDown = false
  private var peerIsDeaf = false

  var peerAddress: String? { numericPeerAddress(of: descriptor) }

  func write(_ bytes: [UInt8]) {
    guard isOpen, !finishesWriting, !bytes.isEmpty else { return }
    queue.append(bytes)
    queuedByteCount += bytes.count
    if queue.count == 1 { flush() }
  }

  func finishWriting() {
    guard !finishesWriting else { return }
    finishesWriting = true
    flush()
  }

  func close() {
    closeSoon()
  }

  func detachDescriptor() -> Int32? {
    guard isOpen, queue.isEmpty else { return nil }
    let copy = dup(descriptor)
    guard copy >= 0 else { return nil }
    _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    setReading(false)
    closeSoon()
    return copy
  }

  override func becameReadable() {
    let count = read(descriptor, EventLoop.scratch.baseAddress, EventLoop.scratch.count)
    if count > 0 {
      delegate?.streamReceived(UnsafeRawBufferPointer(rebasing: EventLoop.scratch[..<count]))
    } else if count == 0, peerIsDeaf {
      closeSoon()
    } else if count == 0 {
      // Otherwise the end would be told again and again.
      setReading(false)
      delegate?.streamReceivedEnd()
    } else if errno != EAGAIN && errno != EINTR {
      closeSoon()
    }
  }

  override func becameWritable() {
    flush()
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

  private func flush() {
    while !peerIsDeaf, let first = queue.first {
      let count = first.withUnsafeBytes { bytes in
        bytes.baseAddress.map { Foundation.write(descriptor, $0 + sentOfFirst, bytes.count - sentOfFirst) } ?? 0
      }
      if count < 0 {
        writingFailed(errno)
        return
      }
      queuedByteCount -= count
      sentOfFirst += count
      if sentOfFirst < first.count {
        wantWrite()
        return
      }
      queue.removeFirst()
      sentOfFirst = 0
    }
    if finishesWriting, queue.isEmpty, !isShutDown {
      isShutDown = true
      shutdown(descriptor, Int32(SHUT_WR))
    }
  }

  private func writingFailed(_ code: Int32) {
    switch code {
    case EAGAIN, EINTR: wantWrite()
    case EPIPE, ECONNRESET:
      // What the peer has sent before it went away, perhaps an answer that says why, can still be read. The end follows.
      peerIsDeaf = true
    default: closeSoon()
    }
  }
}
