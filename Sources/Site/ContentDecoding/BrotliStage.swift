import CBrotli

/// The coding `br` (RFC 7932).
final class BrotliStage: DecodingStage {
  /// 16 MiB (RFC 7932, section 9.1).
  let longestWindow = 16 << 20

  private let decoder: OpaquePointer?

  init() {
    decoder = BrotliDecoderCreateInstance(nil, nil, nil)
  }

  deinit {
    BrotliDecoderDestroyInstance(decoder)
  }

  func decode(_ input: ArraySlice<UInt8>, _ readCount: inout Int) throws(ContentDecodingError) -> [UInt8] {
    guard let decoder else { throw .invalid(coding: "br") }
    if BrotliDecoderIsFinished(decoder) != 0 { return [] }
    var result = BROTLI_DECODER_RESULT_ERROR
    var unread = input.count
    let output = input.withUnsafeBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, count in
        var next = bytes.baseAddress
        var output = buffer.baseAddress
        var room = buffer.count
        result = BrotliDecoderDecompressStream(decoder, &unread, &next, &room, &output, nil)
        count = buffer.count - room
      }
    }
    readCount += input.count - unread
    guard result != BROTLI_DECODER_RESULT_ERROR else { throw .invalid(coding: "br") }
    return output
  }
}
