import BridgeRuntime
import ContentDecoding
import WebServer

/// The body of an upstream's response, decoded if the shim goes into it.
@BridgeActor
struct UpstreamBody {
  /// The maximum size of a decoded document, in bytes: a small encoded body can decode to a huge one.
  nonisolated static let decodedByteLimit = 64 << 20

  let upstream: HTTPClientExchange
  /// Decodes the body; nil leaves it unchanged.
  var decoder: ContentDecoder?

  /// Reads the next piece; nil at the end.
  ///
  /// - Throws: `HTTPClientError`, or `ContentDecodingError`.
  func nextPiece() async throws -> [UInt8]? {
    guard let decoder else { return try await upstream.nextBodyPiece() }
    while true {
      let piece = try decoder.next()
      upstream.decoderByteCount = decoder.windowByteCount
      if let piece { return piece }
      guard let encoded = try await upstream.nextBodyPiece() else { return nil }
      decoder.push(encoded)
    }
  }
}
