import CZlib

/// The gzip coding (RFC 1952), for files that are compressed once and sent often.
enum Gzip {
  /// Compresses bytes as far as gzip can; nil if there is not enough memory.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard footbridge_deflate_init_gzip(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    // zlib only reads these bytes, but its types do not say so.
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    let count = output.count
    let result = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard result == Z_STREAM_END else { return nil }
    return Array(output.prefix(Int(stream.total_out)))
  }
}
