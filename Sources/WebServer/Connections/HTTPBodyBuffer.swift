/// The pieces of a body between the connection that receives them and whoever reads them.
struct HTTPBodyBuffer {
  /// How many bytes may wait before reading from the connection pauses.
  static let highWater = 256 << 10
  /// How few bytes must wait for reading to go on.
  static let lowWater = 64 << 10

  private var pieces: [[UInt8]] = []
  private(set) var byteCount = 0
  private var isComplete = false
  private var failure: (any Error)?
  private var reader: CheckedContinuation<[UInt8]?, any Error>?

  mutating func append(_ piece: [UInt8]) {
    if let reader {
      self.reader = nil
      reader.resume(returning: piece)
    } else {
      pieces.append(piece)
      byteCount += piece.count
    }
  }

  mutating func end() {
    isComplete = true
    reader?.resume(returning: nil)
    reader = nil
  }

  /// Nothing more will come. A body that is complete stays so.
  mutating func fail(_ error: any Error) {
    guard !isComplete, failure == nil else { return }
    failure = error
    reader?.resume(throwing: error)
    reader = nil
  }

  /// The next piece if it is there; `wait` is called with the continuation if it is not.
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

  mutating func wait(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
    reader = continuation
  }

  enum Taken {
    case piece([UInt8])
    case end
    case wait
  }
}
