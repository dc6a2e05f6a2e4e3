import CZstandard

/// The coding `zstd` (RFC 8878): one frame or several. Bytes after the last frame are ignored.
final class ZstandardStage: DecodingStage {
  private enum State {
    /// The bytes of a frame's magic number that have arrived.
    case magicNumber([UInt8], isFirst: Bool)
    case inFrame
    case ended
  }

  /// The binary logarithm of the largest window in bytes: 8 MiB (RFC 9659). The body chooses the window, and so how
  /// much the decoder allocates.
  private static let windowLogLimit: Int32 = 23

  let longestWindow = 1 << ZstandardStage.windowLogLimit

  private let decoder: OpaquePointer?
  private var state = State.magicNumber([], isFirst: true)
  /// Whether the last piece was full, so that the decoder may hold more output.
  private var mayHoldMore = false

  init() {
    decoder = ZSTD_createDStream()
    _ = decoder.map { ZSTD_DCtx_setParameter($0, ZSTD_d_windowLogMax, Self.windowLogLimit) }
  }

  deinit {
    ZSTD_freeDStream(decoder)
  }

  func decode(_ input: ArraySlice<UInt8>, _ readCount: inout Int) throws(ContentDecodingError) -> [UInt8] {
    var unread = input
    while true {
      switch state {
      case .magicNumber(let start, let isFirst):
        let more = unread.prefix(4 - start.count)
        unread = unread.dropFirst(more.count)
        readCount += more.count
        let number = start + more
        state = .magicNumber(number, isFirst: isFirst)
        if number.count < 4 { return [] }
        if Self.isMagic(number) {
          state = .inFrame
          _ = try step(number[...])
        } else if isFirst {
          throw .invalid(coding: "zstd")
        } else {
          state = .ended
        }
      case .inFrame:
        if unread.isEmpty, !mayHoldMore { return [] }
        let (output, count) = try step(unread)
        unread = unread.dropFirst(count)
        readCount += count
        if !output.isEmpty { return output }
      case .ended: return []
      }
    }
  }

  /// Whether these four bytes begin a Zstandard frame or a skippable frame (RFC 8878, section 3.1). The library may
  /// also accept formats that are older than the RFC.
  private static func isMagic(_ bytes: [UInt8]) -> Bool {
    bytes == [0x28, 0xB5, 0x2F, 0xFD] || bytes[0] & 0xF0 == 0x50 && bytes[1...] == [0x2A, 0x4D, 0x18]
  }

  /// Decodes one piece. Returns it, and how many bytes of the input it has read.
  private func step(_ input: ArraySlice<UInt8>) throws(ContentDecodingError) -> (output: [UInt8], readCount: Int) {
    guard let decoder else { throw .invalid(coding: "zstd") }
    var result = 0
    var read = ZSTD_inBuffer()
    let output = input.withUnsafeBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, count in
        read = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var written = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        result = ZSTD_decompressStream(decoder, &written, &read)
        count = written.pos
      }
    }
    guard ZSTD_isError(result) == 0 else { throw .invalid(coding: "zstd") }
    mayHoldMore = output.count == Self.pieceByteCount
    // 0: the frame has ended, and all of its output was written.
    if result == 0 { state = .magicNumber([], isFirst: false) }
    return (output, read.pos)
  }
}
