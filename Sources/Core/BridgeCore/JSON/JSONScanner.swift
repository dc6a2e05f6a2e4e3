/// A strict reader of JSON text (RFC 8259). It reads the bytes once, and builds only the requested values.
///
/// Values can be skipped: checked in full but not built. So an envelope's `data` stays bytes until a handler needs it. Foundation's parser
/// takes forty times as long for a message. A parser that always builds all values takes nine times as long.
///
/// Of members with the same name the last one counts, as in `JSON.parse`. An escaped lone surrogate becomes U+FFFD, as it does when
/// an `NSString` with one becomes a `String`.
///
/// Its short functions, and those of ``JSONCursor``, are inlined. (Without this, 3 % more instructions for a `query`.)
struct JSONScanner {
  /// The deepest nesting of arrays and objects. The stack of any thread is large enough to read it.
  static let depthLimit = 512
  /// The deepest nesting in messages. Pages may post 2,000 levels, as in WebKit. The bridge's thread reads them, and has a larger stack.
  static let messageDepthLimit = 2100

  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  let depthLimit: Int
  private(set) var depth = 0
  /// How many more members and elements are allowed; negative after too many.
  var valuesLeft: Int

  /// Creates a scanner. `valueLimit` is the maximum number of members and elements in all.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0, depthLimit: Int = Self.depthLimit,
    valueLimit: Int = .max
  ) {
    self.depthLimit = depthLimit
    valuesLeft = valueLimit
    self.bytes = bytes
    self.position = position
  }

  func error(_ reason: String) -> JSONError { JSONError(reason, offset: position) }

  /// Skips white space and returns the next byte without consuming it; nil at the end.
  @inline(__always)
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8, _ reason: String) throws(JSONError) {
    guard peek() == byte else { throw error(reason) }
    position += 1
  }

  /// Checks that nothing but white space is left.
  mutating func expectEnd() throws(JSONError) {
    if peek() != nil { throw error("unexpected text after the value") }
  }

  // MARK: Containers

  /// Reads an object. Calls `member` after each name; it must consume the value.
  @inline(__always)
  mutating func scanObject(
    _ member: (inout JSONScanner, JSONStringToken) throws(JSONError) -> Void
  ) throws(JSONError) {
    try expect(UInt8(ascii: "{"), "expected an object")
    try enter()
    if peek() == UInt8(ascii: "}") {
      position += 1
    } else {
      while true {
        guard peek() == UInt8(ascii: "\"") else { throw error("expected a member's name") }
        let name = try scanString()
        try expect(UInt8(ascii: ":"), "expected ':'")
        valuesLeft &-= name.range.count / Self.nameByteCount
        try countValue()
        try member(&self, name)
        if try endOfContainer(UInt8(ascii: "}"), "expected ',' or '}'") { break }
      }
    }
    depth -= 1
  }

  /// Reads an array. Calls `element` before each element; it must consume the element.
  @inline(__always)
  mutating func scanArray(_ element: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
    try expect(UInt8(ascii: "["), "expected an array")
    try enter()
    if peek() == UInt8(ascii: "]") {
      position += 1
    } else {
      while true {
        try countValue()
        try element(&self)
        if try endOfContainer(UInt8(ascii: "]"), "expected ',' or ']'") { break }
      }
    }
    depth -= 1
  }

  @inline(__always)
  private mutating func enter() throws(JSONError) {
    depth += 1
    if depth > depthLimit { throw error("nested deeper than \(depthLimit) levels") }
  }

  @inline(__always)
  private mutating func countValue() throws(JSONError) {
    valuesLeft &-= 1
    if valuesLeft < 0 { throw error(Self.tooManyValues) }
  }

  static let tooManyValues = "too many values"
  /// A long name counts as one more value per this many bytes, since reading it takes as long.
  static let nameByteCount = 256

  @inline(__always)
  private mutating func endOfContainer(_ close: UInt8, _ reason: String) throws(JSONError) -> Bool {
    guard let byte = peek(), byte == UInt8(ascii: ",") || byte == close else { throw error(reason) }
    position += 1
    return byte == close
  }

  // MARK: Values

  /// Reads and builds the next value.
  mutating func readValue() throws(JSONError) -> JSONValue {
    guard let first = peek() else { throw error("expected a value, found the end") }
    switch first {
    case UInt8(ascii: "\""):
      return .string(try readString())
    case UInt8(ascii: "{"):
      return .object(try readObject())
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try scanArray { (scanner) throws(JSONError) in elements.append(try scanner.readValue()) }
      return .array(elements)
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      return .number(try readNumber())
    }
  }

  mutating func readObject() throws(JSONError) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    try scanObject { (scanner, name) throws(JSONError) in
      members[scanner.string(name)] = try scanner.readValue()
    }
    return members
  }

  /// Consumes `null` if it is next.
  mutating func skipNull() throws(JSONError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  mutating func readBool() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw error("expected true or false")
    }
  }

  @inline(__always)
  mutating func literal(_ text: StaticString) throws(JSONError) {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count, holds(text, at: position) else { throw error("expected a value") }
    position += count
  }
}
