public import HTTPTypes

/// Encodes a chunked body (RFC 9112, section 7.1).
public enum ChunkedEncoder {
  /// Encodes one chunk. Returns nothing for empty data, since an empty chunk would end the body.
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

  /// Encodes the last chunk and the trailer section. Leaves out fields that are not allowed in trailers (RFC 9110,
  /// section 6.5.1).
  public static func end(trailers: HTTPFields = [:]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "0")]
    bytes.appendLineEnd()
    bytes.append(fields: trailers.filter { !ChunkedDecoder.forbiddenTrailers.contains($0.name) })
    return bytes
  }
}
