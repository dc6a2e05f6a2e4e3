/// Bytes that have come and are not used yet. It remembers how far the present line was looked at, so that a line
/// that comes byte by byte is still read only once.
struct InputBuffer: Sendable {
  /// Which bytes a line may hold besides its CRLF.
  enum Alphabet {
    /// Visible ASCII and SP: request lines.
    case visible
    /// What field values may hold, which covers field lines, status lines and chunk lines.
    case fieldContent

    /// Whether a line may hold the byte.
    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .visible: byte.isVisible || byte == .space
      case .fieldContent: byte.isFieldContent
      }
    }
  }

  private var bytes: [UInt8] = []
  private var position = 0
  private var scanned = 0

  /// How many bytes wait.
  var count: Int { bytes.count - position }

  var isEmpty: Bool { count == 0 }

  /// Appends bytes that have come.
  mutating func append(_ newBytes: some Collection<UInt8>) {
    dropUsedBytes()
    bytes.append(contentsOf: newBytes)
  }

  /// Takes a line that ends in CRLF, without the CRLF; nil when it is not complete yet.
  ///
  /// A defect is found at the first byte that shows it, whether or not more bytes have come: how the bytes were cut
  /// changes nothing.
  /// - Parameters:
  ///   - alphabet: the bytes that the line may hold.
  ///   - maximum: the most bytes that the line may have.
  ///   - excess: what to throw when it has more.
  mutating func takeLine(
    of alphabet: Alphabet, maximum: Int, orThrow excess: MessageDefect
  ) throws(MessageDefect) -> ArraySlice<UInt8>? {
    guard maximum >= 0 else { throw excess }
    while scanned < bytes.count {
      let byte = bytes[scanned]
      if scanned > position, bytes[scanned - 1] == .carriageReturn {
        guard byte == .lineFeed else { throw .bareCarriageReturn }
        let line = bytes[position..<scanned - 1]
        scanned += 1
        position = scanned
        return line
      }
      if byte == .carriageReturn {
        scanned += 1
        continue
      }
      if byte == .lineFeed { throw .bareLineFeed }
      guard alphabet.contains(byte) else { throw .invalidByte }
      if scanned - position >= maximum { throw excess }
      scanned = endOfRun(of: alphabet, from: scanned + 1, to: position + min(maximum, count))
    }
    return nil
  }

  /// Where bytes end that are nothing but what a line may hold: most of every line.
  private func endOfRun(of alphabet: Alphabet, from start: Int, to end: Int) -> Int {
    var index = start
    switch alphabet {
    case .visible: while index < end, Alphabet.visible.contains(bytes[index]) { index += 1 }
    case .fieldContent: while index < end, Alphabet.fieldContent.contains(bytes[index]) { index += 1 }
    }
    return index
  }

  /// Takes up to `maximum` bytes, as many as there are.
  mutating func take(upTo maximum: Int) -> [UInt8] {
    let length = min(maximum, count)
    if position == 0, length == bytes.count {
      let all = bytes
      bytes = []
      scanned = 0
      return all
    }
    let taken = Array(bytes[position..<position + length])
    _ = skip(upTo: length)
    return taken
  }

  /// Takes everything.
  mutating func takeAll() -> [UInt8] { take(upTo: count) }

  /// Throws up to `maximum` bytes away and returns how many those were.
  mutating func skip(upTo maximum: Int) -> Int {
    let length = min(maximum, count)
    position += length
    scanned = position
    return length
  }

  /// Makes room: at most once for each byte, and without keeping large storage for a connection that waits.
  private mutating func dropUsedBytes() {
    if position == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 16_384)
    } else if position > bytes.count / 2 {
      bytes.removeSubrange(0..<position)
    } else {
      return
    }
    scanned -= position
    position = 0
  }
}
