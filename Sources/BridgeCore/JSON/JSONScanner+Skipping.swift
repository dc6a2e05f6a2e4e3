extension JSONScanner {
  /// Checks the next value and returns where it stands.
  ///
  /// Every message goes through this: one loop over an index of its own, which holds what it is in the middle of in a bit for each level.
  @discardableResult
  mutating func skipValue() throws(JSONError) -> Range<Int> {
    guard peek() != nil else { throw error("expected a value, found the end") }
    let start = position
    var index = start
    var nesting = JSONNesting()
    while true {
      switch next(&index) {
      case UInt8(ascii: "\""): try skipString(&index)
      case UInt8(ascii: "{"):
        try enter(&nesting, isObject: true, &index)
        if next(&index) != UInt8(ascii: "}") {
          try skipName(&index)
          continue
        }
        index &+= 1
        nesting.leave()
      case UInt8(ascii: "["):
        try enter(&nesting, isObject: false, &index)
        if next(&index) != UInt8(ascii: "]") { continue }
        index &+= 1
        nesting.leave()
      default: try skipScalar(&index)
      }
      if try !hasFurtherValue(nesting: &nesting, &index) { break }
    }
    position = index
    return start..<index
  }

  /// The next byte that is not white space, which `index` is moved to; nil at the end.
  @inline(__always)
  private func next(_ index: inout Int) -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      if byte > 0x20 { return byte }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index &+= 1
      default: return byte
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func skipString(_ index: inout Int) throws(JSONError) {
    let end = JSONPlainText.end(in: bytes, from: index &+ 1)
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
      index = end &+ 1
    } else {
      position = index
      _ = try scanString()
      index = position
    }
  }

  @inline(never)
  private mutating func skipScalar(_ index: inout Int) throws(JSONError) {
    position = index
    switch index < bytes.count ? bytes[index] : nil {
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case nil: throw error("expected a value, found the end")
    default: _ = try readNumber()
    }
    index = position
  }

  @inline(__always)
  private mutating func skipName(_ index: inout Int) throws(JSONError) {
    guard next(&index) == UInt8(ascii: "\"") else { throw JSONError("expected a member's name", offset: index) }
    try skipString(&index)
    guard next(&index) == UInt8(ascii: ":") else { throw JSONError("expected ':'", offset: index) }
    index &+= 1
  }

  /// Passes over what follows a value: the ends of containers, and a comma with the name of the next member. False when everything has
  /// ended.
  @inline(__always)
  private mutating func hasFurtherValue(
    nesting: inout JSONNesting, _ index: inout Int
  ) throws(JSONError) -> Bool {
    while nesting.depth > 0 {
      let isObject = nesting.isInObject
      let byte = next(&index)
      if byte == UInt8(ascii: ",") {
        index &+= 1
        if isObject { try skipName(&index) }
        return true
      }
      guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError(isObject ? "expected ',' or '}'" : "expected ',' or ']'", offset: index)
      }
      index &+= 1
      nesting.leave()
    }
    return false
  }

  @inline(__always)
  private func enter(_ nesting: inout JSONNesting, isObject: Bool, _ index: inout Int) throws(JSONError) {
    index &+= 1
    nesting.enter(isObject: isObject)
    if depth + nesting.depth > depthLimit {
      throw JSONError("nested deeper than \(depthLimit) levels", offset: index)
    }
  }
}
