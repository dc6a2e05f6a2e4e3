/// Received bytes that are not consumed yet. It stores how far the current line has been scanned, so that each byte is
/// scanned once, even if a line arrives byte by byte.
struct InputBuffer: Sendable {
  /// The bytes that a line may contain before its CRLF.
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

  /// Whether to mend some defects instead of refusing them (``HTTP1Limits/mendsResponses``).
  private let isLenient: Bool
  /// The defects that have been mended since the connection began.
  private(set) var mended: Set<MessageDefect> = []
  private var bytes: [UInt8] = []
  /// The index of the first byte that is not consumed.
  private var position = 0
  /// The index of the first byte that is not scanned.
  private var scanned = 0

  /// Creates an empty buffer. Never read requests with a lenient one: if two servers read a request differently, an
  /// attacker can smuggle another request.
  init(isLenient: Bool = false) {
    self.isLenient = isLenient
  }

  /// Records a defect that the caller is about to mend.
  ///
  /// - Throws: The defect, unless the buffer is lenient.
  mutating func mend(_ defect: MessageDefect) throws(MessageDefect) {
    guard mends(defect) else { throw defect }
  }

  /// Records a defect, and returns whether the caller may mend it.
  mutating func mends(_ defect: MessageDefect) -> Bool {
    if isLenient { mended.insert(defect) }
    return isLenient
  }

  /// How many bytes are buffered.
  var count: Int { bytes.count - position }

  var isEmpty: Bool { count == 0 }

  /// The index of the next byte to take, for ``bytes(since:)``. It is valid until bytes are appended.
  var mark: Int { position }

  /// The bytes that were taken since a mark.
  func bytes(since mark: Int) -> ArraySlice<UInt8> { bytes[mark..<position] }

  /// Takes these bytes if they come next, and nothing of a line has been scanned. Returns whether it has taken them.
  mutating func take(_ expected: [UInt8]) -> Bool {
    guard scanned == position, count >= expected.count else { return false }
    let comesNext = bytes[position..<position + expected.count].withUnsafeBytes { next in
      expected.withUnsafeBytes { next.hasSameBytes(as: $0) }
    }
    guard comesNext else { return false }
    _ = skip(upTo: expected.count)
    return true
  }

  /// Appends received bytes.
  mutating func append(_ newBytes: some Collection<UInt8>) {
    dropUsedBytes()
    bytes.append(contentsOf: newBytes)
  }

  /// Takes a line that ends in CRLF, without the CRLF; nil while it is incomplete. A lenient buffer also accepts a line
  /// that ends in LF alone.
  ///
  /// Throws a defect as soon as the byte that shows it has arrived, so the result does not depend on how the bytes were
  /// split.
  /// - Parameters:
  ///   - alphabet: The bytes that the line may contain.
  ///   - maximum: The maximum length of the line without its end, in bytes.
  ///   - excess: The error for a longer line.
  /// - Throws: `excess`, ``MessageDefect/invalidByte``, ``MessageDefect/bareCarriageReturn`` or
  ///   ``MessageDefect/bareLineFeed``.
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
        // RFC 9112, section 2.2: a recipient may accept a single LF as the end of a line.
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

  /// The index after a run of allowed bytes. The loop is written twice, so that it does not check the alphabet for each
  /// byte.
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

  /// Frees consumed bytes. Moves bytes only when more than half are consumed, and keeps no large storage for an idle
  /// connection.
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
