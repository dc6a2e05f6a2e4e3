import BridgeRuntime

@testable import WebServer

/// A connection whose other end is the test itself.
@BridgeActor
final class MemoryStream: ByteStream {
  weak var delegate: (any ByteStreamDelegate)?
  let queuedByteCount = 0
  let heldByteCount = 0
  let undeliveredByteCount = 0
  let peerAddress: String? = "127.0.0.1"
  let isHTTP2 = false
  /// All that was sent.
  private(set) var written: [UInt8] = []

  func write(_ bytes: [UInt8]) { written += bytes }
  func setReading(_ isReading: Bool) {}
  func setTimer(_ duration: Duration?) {}
  func finishWriting() {}
  func close() {}
  func detachDescriptor() -> Int32? { nil }
}
