/// Received bytes that are not consumed yet. It remembers how far the current line was scanned, so that a line that
/// arrives byte by byte is scanned only once.
struct InputBuffer: Sendable {
  /// The bytes that a line may contain besides its CRLF.
  enum Alphabet {
    /// Visible ASCII and SP: request lines.
    case visible
    /// The bytes of field values: for field lines, status lines and chunk lines.
    case fieldContent

    /// Whether a line may contain the byte.
    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .visible: byte.isVisible || byte == .space
      case .fieldContent: byte.isFieldContent
      }
    }
  }

  /// Whether defects that every browser overlooks are mended instead of refused.
  private let isLenient: Bool
  /// The defects that were mended so far.
  private(set) var mended: Set<MessageDefect> = []
  private var bytes: [UInt8] = []
  private var position = 0
  private var scanned = 0

  /// Creates an empty buffer. Requests are always read strictly: if two readers understand one differently, another can be smuggled.
  init(isLenient: Bool = false) {
    self.isLenient = isLenient
  }

  /// Notes a defect that the caller mends.
  ///
  /// - Throws: The defect, unless the buffer is lenient.
  mutating func mend(_ defect: MessageDefect) throws(MessageDefect) {
    guard mends(defect) else { throw defect }
  }

  /// Notes a defect that the caller mends if this returns true.
  mutating func mends(_ defect: MessageDefect) -> Bool {
    if isLenient { mended.insert(defect) }
    return isLenient
  }

  /// How many bytes are buffered.
  var count: Int { bytes.count - position }

  var isEmpty: Bool { count == 0 }

  /// Appends received bytes.
  mutating func append(_ newBytes: some Collection<UInt8>) {
    dropUsedBytes()
    bytes.append(contentsOf: newBytes)
  }

  /// Takes a line that ends in CRLF, without the CRLF; nil while it is incomplete. A lenient buffer also accepts a line that ends in LF.
  ///
  /// Reports a defect at the first byte that shows it, however the bytes were split on arrival.
  /// - Parameters:
  ///   - alphabet: The bytes that the line may contain.
  ///   - maximum: The largest length of the line, in bytes.
  ///   - excess: The error for a longer line.
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
      if byte == .lineFeed {
        // RFC 9112, section 2.2: a recipient may take a single LF for the end of a line.
        try mend(.bareLineFeed)
        let line = bytes[position..<scanned]
        scanned += 1
        position = scanned
        return line
      }
      guard alphabet.contains(byte) else { throw .invalidByte }
      if scanned - position >= maximum { throw excess }
      scanned = endOfRun(of: alphabet, from: scanned + 1, to: position + min(maximum, count))
    }
    return nil
  }

  /// The end of a run of allowed bytes.
  private func endOfRun(of alphabet: Alphabet, from start: Int, to end: Int) -> Int {
    var index = start
    switch alphabet {
    case .visible: while index < end, Alphabet.visible.contains(bytes[index]) { index += 1 }
    case .fieldContent: while index < end, Alphabet.fieldContent.contains(bytes[index]) { index += 1 }
    }
    return index
  }

  /// Takes up to `maximum` of the buffered bytes.
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

  /// Takes all bytes.
  mutating func takeAll() -> [UInt8] { take(upTo: count) }

  /// Discards up to `maximum` bytes and returns how many it discarded.
  mutating func skip(upTo maximum: Int) -> Int {
    let length = min(maximum, count)
    position += length
    scanned = position
    return length
  }

  /// Frees consumed bytes: moves each byte at most once, and keeps no large storage for an idle connection.
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
