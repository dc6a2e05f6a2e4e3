/// Decodes a body with content codings (RFC 9110, section 8.4.1), piece by piece and within a bound. As lenient as a browser: what follows
/// the end of a coding is ignored, and a body that is cut gives what is there.
///
/// ```swift
/// guard let decoder = ContentDecoder(codings: ["gzip"], byteLimit: 1 << 20) else { return }
/// decoder.push(bytes)
/// while let piece = try decoder.next() { … }
/// ```
package final class ContentDecoder {
  private let stage: any DecodingStage
  /// Decodes what was encoded last; nil if that is this decoder.
  private let outer: ContentDecoder?
  private let byteLimit: Int
  private var byteCount = 0
  private var input: [UInt8] = []
  private var readCount = 0

  /// Creates a decoder; nil if there is no coding but `identity`, one is not known, or there are more than three.
  /// - Parameters:
  ///   - codings: The codings in the order in which they were applied, as `Content-Encoding` has them.
  ///   - byteLimit: The maximum size of the decoded body, in bytes.
  package convenience init?(codings: [String], byteLimit: Int) {
    let names = codings.map { $0.lowercased() }.filter { $0 != "identity" }
    guard names.count <= 3 else { return nil }
    self.init(names[...], byteLimit)
  }

  private init?(_ names: ArraySlice<String>, _ byteLimit: Int) {
    switch names.first {
    case "gzip", "x-gzip": stage = InflateStage(.gzip)
    case "deflate": stage = InflateStage(.deflate)
    case "br": stage = BrotliStage()
    case "zstd": stage = ZstandardStage()
    default: return nil
    }
    let others = names.dropFirst()
    outer = others.isEmpty ? nil : ContentDecoder(others, byteLimit)
    guard others.isEmpty || outer != nil else { return nil }
    self.byteLimit = byteLimit
  }

  /// Takes a piece of the encoded body. Read everything with ``next()`` before the next piece.
  package func push(_ bytes: [UInt8]) {
    if let outer { outer.push(bytes) } else { (input, readCount) = (bytes, 0) }
  }

  /// The next piece of the decoded body, at most 64 KiB; nil if that needs more of the encoded one.
  /// - Throws: ``ContentDecodingError``.
  package func next() throws(ContentDecodingError) -> [UInt8]? {
    while true {
      let piece = try stage.decode(input[readCount...], &readCount)
      if !piece.isEmpty {
        byteCount += piece.count
        guard byteCount <= byteLimit else { throw .tooLarge(byteLimit: byteLimit) }
        return piece
      }
      guard let outer, let more = try outer.next() else { return nil }
      (input, readCount) = (more, 0)
    }
  }
}

/// Why a body cannot be decoded.
package enum ContentDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The body is not what its coding says.
  case invalid(coding: String)
  /// The decoded body is larger than it may be.
  case tooLarge(byteLimit: Int)

  /// What happened, for people.
  package var description: String {
    switch self {
    case .invalid(let coding): "the body is no valid \(coding), although Content-Encoding says so"
    case .tooLarge(let byteLimit): "the decoded body is larger than \(byteLimit >> 20) MiB"
    }
  }
}

/// One coding.
protocol DecodingStage {
  /// Decodes from `input` as far as one piece of output has room, and counts what it has read. An empty piece means that it needs more.
  func decode(_ input: ArraySlice<UInt8>, _ readCount: inout Int) throws(ContentDecodingError) -> [UInt8]
}

extension DecodingStage {
  /// The maximum size of a decoded piece, in bytes.
  static var pieceByteCount: Int { 64 << 10 }
}
