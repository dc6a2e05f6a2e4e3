extension JSONScanner {
  /// Checks the next value and returns its position.
  ///
  /// This code runs for most messages, so it is one loop over a local index, with one bit for each open container. It is one function,
  /// because the compiler would not inline its parts, and calling one takes as long as its work.
  @discardableResult
  mutating func skipValue() throws(JSONError) -> Range<Int> {
    guard peek() != nil else { throw error("expected a value, found the end") }
    let start = position
    var index = start
    var nesting = JSONNesting()
    var isName = false
    var valuesLeft = valuesLeft
    defer { self.valuesLeft = valuesLeft }
    value: while true {
      let byte = next(&index)
      if byte == UInt8(ascii: "\"") {
        let nameStart = index
        try skipString(&index)
        if isName {
          valuesLeft &-= (index &- nameStart) / Self.nameByteCount
          guard next(&index) == UInt8(ascii: ":") else { throw JSONError("expected ':'", offset: index) }
          index &+= 1
          isName = false
          continue
        }
      } else if isName {
        throw JSONError("expected a member's name", offset: index)
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        let isObject = byte == UInt8(ascii: "{")
        index &+= 1
        nesting.enter(isObject: isObject)
        if depth + nesting.depth > depthLimit {
          throw JSONError("nested deeper than \(depthLimit) levels", offset: index)
        }
        if next(&index) != Self.end(ofObject: isObject) {
          isName = isObject
          valuesLeft &-= 1
          continue
        }
        index &+= 1
        nesting.leave()
      } else {
        try skipScalar(&index)
      }
      // After a value come the ends of containers, or a comma and the next value.
      while nesting.depth > 0 {
        let isObject = nesting.isInObject
        let byte = next(&index)
        if byte == UInt8(ascii: ",") {
          index &+= 1
          isName = isObject
          valuesLeft &-= 1
          if valuesLeft < 0 { throw JSONError(Self.tooManyValues, offset: index) }
          continue value
        }
        guard byte == Self.end(ofObject: isObject) else {
          throw JSONError(isObject ? "expected ',' or '}'" : "expected ',' or ']'", offset: index)
        }
        index &+= 1
        nesting.leave()
      }
      if valuesLeft < 0 { throw JSONError(Self.tooManyValues, offset: index) }
      position = index
      return start..<index
    }
  }

  @inline(__always)
  static func end(ofObject isObject: Bool) -> UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  /// Moves `index` to the next byte that is not white space, and returns the byte. Returns 0, which JSON never contains, at the end.
  @inline(__always)
  private func next(_ index: inout Int) -> UInt8 {
    while index < bytes.count {
      let byte = bytes[index]
      if byte > 0x20 { return byte }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index &+= 1
      default: return byte
      }
    }
    return 0
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

  @inline(__always)
  private mutating func skipScalar(_ index: inout Int) throws(JSONError) {
    // Short whole numbers are the usual ones.
    var end = index
    while end < bytes.count, end &- index <= 15, 0x30...0x39 ~= bytes[end] { end &+= 1 }
    if 1...15 ~= end &- index, bytes[index] != 0x30, end < bytes.count,
      bytes[end] == UInt8(ascii: ",") || bytes[end] == UInt8(ascii: "}")
    {
      index = end
      return
    }
    try skipOtherScalar(&index)
  }

  @inline(never)
  private mutating func skipOtherScalar(_ index: inout Int) throws(JSONError) {
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
}
