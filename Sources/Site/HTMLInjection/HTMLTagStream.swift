/// Edits tags of a document that is passed through in pieces. It holds back at most one incomplete tag.
struct HTMLTagStream {
  /// How many bytes to hold back at most for one tag. A longer tag stays unchanged, and so does everything after it.
  static let heldByteCount = 64 << 10

  private let encoding: HTMLEncoding
  private var scanner: HTMLMetaScanner
  private var isOver = false
  /// Bytes that were taken and not returned yet.
  private var held: [UInt8] = []
  /// How many of these bytes the scanner has read.
  private var readCount = 0

  /// Creates the stream of one document. `scanner` finds the tags.
  init(_ scanner: HTMLMetaScanner, encoding: HTMLEncoding) {
    (self.scanner, self.encoding) = (scanner, encoding)
  }

  /// Takes a piece of the document, and returns the bytes that can be sent on. Calls `edit` with each whole tag that
  /// the scanner finds, and replaces the tag with the result.
  mutating func push(_ bytes: [UInt8], edit: ([UInt8]) -> [UInt8]) -> [UInt8] {
    if isOver { return bytes }
    if held.isEmpty { held = bytes } else { held += bytes }
    var output: [UInt8] = []
    var writtenCount = 0
    var passedCount = 0
    while !isOver, readCount + encoding.unitByteCount <= held.count {
      let unit = encoding.unit(in: held, at: readCount)
      readCount += encoding.unitByteCount
      switch scanner.read(unit) {
      case .undecided: break
      case .passed: passedCount = readCount
      case .meta:
        output += held[writtenCount..<passedCount] + edit(Array(held[passedCount..<readCount]))
        passedCount = readCount
        writtenCount = readCount
      case .over: isOver = true
      }
    }
    if held.count - passedCount > Self.heldByteCount { isOver = true }
    if isOver {
      defer { held = [] }
      if writtenCount == 0 { return held }
      output += held[writtenCount...]
    } else {
      output += held[writtenCount..<passedCount]
      held.removeFirst(passedCount)
      readCount -= passedCount
    }
    return output
  }

  /// Ends the document, and returns the rest of its bytes.
  mutating func finish() -> [UInt8] {
    isOver = true
    defer { held = [] }
    return held
  }
}
