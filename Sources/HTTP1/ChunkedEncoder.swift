public import HTTPTypes

/// Writes a body in chunks (RFC 9112, section 7.1).
public enum ChunkedEncoder {
  /// One chunk with this data. Nothing for no data, since an empty chunk would end the body.
  public static func chunk(_ data: [UInt8]) -> [UInt8] {
    guard !data.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 20)
    bytes += String(data.count, radix: 16).utf8
    bytes.appendLineEnd()
    bytes += data
    bytes.appendLineEnd()
    return bytes
  }

  /// The last chunk and the trailer section. Fields that may not stand there, as they frame or route a message, are
  /// left out.
  public static func end(trailers: HTTPFields = [:]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "0")]
    bytes.appendLineEnd()
    bytes.append(fields: trailers.filter { !ChunkedDecoder.forbiddenTrailers.contains($0.name) })
    return bytes
  }
}
