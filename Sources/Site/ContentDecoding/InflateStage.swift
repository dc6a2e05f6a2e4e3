import CZlib

/// The codings `gzip` (RFC 1952) and `deflate` (RFC 1950). Many servers send `deflate` without the header of RFC 1950
/// (RFC 1951 alone), which is accepted, too.
final class InflateStage: DecodingStage {
  enum Format: String {
    case gzip, deflate
  }

  private enum State {
    case start, open, ended
  }

  /// 32 KiB (RFC 1951).
  let longestWindow = 32 << 10

  private let format: Format
  /// zlib's state. It must not move, since zlib stores its address.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var state = State.start

  init(_ format: Format) {
    self.format = format
    stream.initialize(to: z_stream())
  }

  deinit {
    if state != .start { inflateEnd(stream) }
    stream.deallocate()
  }

  func decode(_ input: ArraySlice<UInt8>, _ readCount: inout Int) throws(ContentDecodingError) -> [UInt8] {
    if state == .start, let first = input.first { try open(first) }
    guard state == .open else { return [] }
    // zlib only reads these bytes, but declares the pointer as mutable.
    var bytes = Array(input)
    var result = Z_OK
    var unread = 0
    let output = bytes.withUnsafeMutableBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, count in
        stream.pointee.next_in = bytes.baseAddress
        stream.pointee.avail_in = uInt(bytes.count)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = uInt(buffer.count)
        result = inflate(stream, Z_NO_FLUSH)
        count = buffer.count - Int(stream.pointee.avail_out)
        unread = Int(stream.pointee.avail_in)
      }
    }
    readCount += input.count - unread
    switch result {
    // Z_BUF_ERROR: no progress without more bytes.
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: state = .ended
    default: throw .invalid(coding: format.rawValue)
    }
    return output
  }

  private func open(_ first: UInt8) throws(ContentDecodingError) {
    // The header of RFC 1950 begins with method 8 and a window of at most 32 KiB.
    let hasHeader = first & 0x0F == 8 && first >> 4 <= 7
    let windowBits: Int32 = format == .gzip ? MAX_WBITS + 16 : hasHeader ? MAX_WBITS : -MAX_WBITS
    guard footbridge_inflate_init(stream, windowBits) == Z_OK else { throw .invalid(coding: format.rawValue) }
    state = .open
  }
}
