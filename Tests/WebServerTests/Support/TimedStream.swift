import BridgeRuntime

@testable import WebServer

/// A connection whose other end is the test itself, with a clock that only the test moves.
@BridgeActor
final class TimedStream: ByteStream {
  weak var delegate: (any ByteStreamDelegate)?
  private(set) var queuedByteCount = 0
  /// How many bytes are on their way to the other end.
  var travelling = 0
  var heldByteCount: Int { queuedByteCount }
  var undeliveredByteCount: Int { queuedByteCount + travelling }
  /// All that was written.
  private(set) var written: [UInt8] = []
  /// Whether the sending side was ended.
  private(set) var hasFinishedWriting = false
  /// Whether it is read.
  private(set) var isReading = true
  let peerAddress: String? = nil
  let isHTTP2: Bool
  /// Whether it is closed.
  private(set) var isClosed = false
  /// The time until its timer fires; nil if none is set.
  private var timeLeft: Duration?

  init(isHTTP2: Bool = false) {
    self.isHTTP2 = isHTTP2
  }

  func write(_ bytes: [UInt8]) {
    queuedByteCount += bytes.count
    written += bytes
  }
  func setReading(_ isReading: Bool) { self.isReading = isReading }
  func setTimer(_ duration: Duration?) { timeLeft = duration }
  func finishWriting() { hasFinishedWriting = true }
  func detachDescriptor() -> Int32? { nil }

  func close() {
    if isClosed { return }
    isClosed = true
    timeLeft = nil
    delegate?.streamClosed()
  }

  /// The other end sends bytes.
  func receive(_ bytes: [UInt8]) { bytes.withUnsafeBytes { delegate?.streamReceived($0) } }

  /// The other end sends nothing more.
  func receiveEnd() { delegate?.streamReceivedEnd() }

  /// The other end takes bytes that were written; all without a number.
  func take(_ count: Int = .max) {
    queuedByteCount -= min(count, queuedByteCount)
    delegate?.streamSent()
  }

  /// Moves the clock.
  func advance(by duration: Duration) {
    guard let left = timeLeft else { return }
    timeLeft = left - duration
    if left > duration { return }
    timeLeft = nil
    delegate?.streamTimerFired()
  }
}
