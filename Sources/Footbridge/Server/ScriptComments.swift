/// Removes comments from scripts of ours, so that pages load less.
enum ScriptComments {
  /// The script without lines that have only a `//` comment, without `/** … */`, indentation and empty lines.
  ///
  /// It works on lines and does not parse JavaScript. So no literal may contain `/**`, and no line of a template literal may begin like a
  /// comment. A test checks our scripts for this. Lines of a template literal lose their indentation as well.
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
        // The space between a comment and the code after it.
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
