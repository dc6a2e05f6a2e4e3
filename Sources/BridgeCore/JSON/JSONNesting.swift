/// In which arrays and objects a reader is: a bit for each level.
struct JSONNesting {
  /// How many levels there are.
  private(set) var depth = 0
  /// The innermost levels, the last one lowest.
  private var levels: UInt64 = 0
  /// The levels before them, in words that are full.
  private var outer: [UInt64] = []

  /// Whether the innermost level is an object's.
  var isInObject: Bool { levels & 1 == 1 }

  /// Goes into an array or an object.
  @inline(__always)
  mutating func enter(isObject: Bool) {
    if depth > 0, depth & 63 == 0 { outer.append(levels) }
    levels = levels << 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  /// Leaves the innermost level, which there must be.
  @inline(__always)
  mutating func leave() {
    depth &-= 1
    levels >>= 1
    if depth > 0, depth & 63 == 0 { levels = outer.removeLast() }
  }
}
