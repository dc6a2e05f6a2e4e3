/// Buffers the pieces of a body between the connection that receives them and the code that reads them.
struct HTTPBodyBuffer {
  /// Above this many buffered bytes, reading from the connection pauses.
  static let highWater = 256 << 10
  /// Below this many buffered bytes, reading continues.
  static let lowWater = 64 << 10

  private var pieces: [[UInt8]] = []
  /// How many bytes are buffered.
  private(set) var byteCount = 0
  private var isComplete = false
  private var failure: (any Error)?
  private var reader: CheckedContinuation<[UInt8]?, any Error>?

  /// Appends a piece, or passes it to the waiting read.
  mutating func append(_ piece: [UInt8]) {
    if let reader {
      self.reader = nil
      reader.resume(returning: piece)
    } else {
      pieces.append(piece)
      byteCount += piece.count
    }
  }

  /// Puts back pieces that were taken, in their original order. No read may be waiting.
  mutating func putBack(_ taken: [[UInt8]]) {
    pieces.insert(contentsOf: taken, at: 0)
    byteCount += taken.reduce(0) { $0 + $1.count }
  }

  /// Completes the body.
  mutating func end() {
    isComplete = true
    reader?.resume(returning: nil)
    reader = nil
  }

  /// Fails an incomplete body, after the pieces that have arrived. Does nothing to a complete one.
  mutating func fail(_ error: any Error) {
    guard !isComplete, failure == nil else { return }
    failure = error
    reader?.resume(throwing: error)
    reader = nil
  }

  /// Discards what is buffered.
  mutating func removeAll() {
    pieces = []
    byteCount = 0
  }

  /// Takes the next piece. If it returns ``Taken/wait``, call ``wait(_:)`` with a continuation.
  mutating func take() throws -> Taken {
    if !pieces.isEmpty {
      let piece = pieces.removeFirst()
      byteCount -= piece.count
      return .piece(piece)
    }
    if isComplete { return .end }
    if let failure { throw failure }
    return .wait
  }

  /// Stores a read that waits for the next piece. Only one may wait at a time.
  mutating func wait(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
    reader = continuation
  }

  /// The result of ``take()``.
  enum Taken {
    case piece([UInt8])
    case end
    case wait
  }
}
