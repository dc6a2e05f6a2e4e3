/// Decodes a body with content codings (RFC 9110, section 8.4.1), piece by piece, up to a size limit. It is as lenient
/// as a browser: it ignores bytes after the end of the encoded data, and decodes a truncated body as far as possible.
///
/// ```swift
/// guard let decoder = ContentDecoder(codings: ["gzip"], byteLimit: 1 << 20) else { return }
/// decoder.push(bytes)
/// while let piece = try decoder.next() { … }
/// ```
package final class ContentDecoder {
  private let stage: any DecodingStage
  /// The decoder of the codings that were applied after this one, whose output is this decoder's input; nil if there
  /// are none.
  private let outer: ContentDecoder?
  private let byteLimit: Int
  private var byteCount = 0
  private var input: [UInt8] = []
  private var readCount = 0

  /// Creates a decoder. Returns nil if there is no coding besides `identity`, if a coding is unknown, or if there are
  /// more than three.
  /// - Parameters:
  ///   - codings: The codings in the order in which they were applied, as `Content-Encoding` has them.
  ///   - byteLimit: The maximum size of the decoded body, in bytes. It also applies between two codings.
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

  /// How much of the decoded body the decoders remember, at most, in bytes.
  package var windowByteCount: Int { min(byteCount, stage.longestWindow) + (outer?.windowByteCount ?? 0) }

  /// Takes a piece of the encoded body. Before the next piece, call ``next()`` until it returns nil.
  package func push(_ bytes: [UInt8]) {
    if let outer { outer.push(bytes) } else { (input, readCount) = (bytes, 0) }
  }

  /// Returns the next piece of the decoded body, at most 64 KiB; nil if it needs more encoded bytes.
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
  /// The body is not valid in its coding.
  case invalid(coding: String)
  /// The decoded body is larger than the limit.
  case tooLarge(byteLimit: Int)

  /// What happened, as a clause.
  package var description: String {
    switch self {
    case .invalid(let coding): "the body is not valid \(coding), although Content-Encoding says so"
    case .tooLarge(let byteLimit): "the decoded body is larger than \(byteLimit >> 20) MiB"
    }
  }
}

/// The decoder of one coding.
protocol DecodingStage {
  /// How much of its output a decoder may remember, in bytes.
  var longestWindow: Int { get }

  /// Decodes `input` until one piece of output is full or the input is used up. An empty piece means that more input is
  /// needed, or that the encoded data has ended.
  /// - Parameters:
  ///   - input: The encoded bytes that are not read yet.
  ///   - readCount: Is increased by the number of bytes that were read.
  func decode(_ input: ArraySlice<UInt8>, _ readCount: inout Int) throws(ContentDecodingError) -> [UInt8]
}

extension DecodingStage {
  /// The maximum size of a decoded piece, in bytes.
  static var pieceByteCount: Int { 64 << 10 }
}
