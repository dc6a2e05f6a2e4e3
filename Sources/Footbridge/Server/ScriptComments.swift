/// Takes out of scripts that we wrote ourselves what is for their readers, so that pages load less.
enum ScriptComments {
  /// The script without lines that hold nothing but a `//` comment, without `/** … */`, indentation and empty lines.
  ///
  /// It knows lines, not JavaScript: no literal may have a `/**` in it, and no line of a template literal may begin like a comment. A test
  /// holds our scripts to that. The lines of a template literal lose their indentation as well.
  static func removed(from source: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let star = UInt8(ascii: "*")
    let newline = UInt8(ascii: "\n")
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var index = 0
    var isAtStart = true
    func next(is first: UInt8, _ second: UInt8, at index: Int) -> Bool {
      index + 1 < source.count && source[index] == first && source[index + 1] == second
    }
    while index < source.count {
      let byte = source[index]
      if isAtStart, byte == UInt8(ascii: " ") || byte == newline {
        index += 1
      } else if isAtStart, next(is: slash, slash, at: index) {
        while index < source.count, source[index] != newline { index += 1 }
      } else if next(is: slash, star, at: index), index + 2 < source.count, source[index + 2] == star {
        index += 3
        while index < source.count, !next(is: star, slash, at: index) { index += 1 }
        index += 2
        // The blank between a comment and what it is about.
        if index < source.count, source[index] == UInt8(ascii: " ") { index += 1 }
      } else {
        result.append(byte)
        isAtStart = byte == newline
        index += 1
      }
    }
    return result
  }
}
