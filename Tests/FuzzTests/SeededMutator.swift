import BridgeRuntime

/// Makes other inputs from given ones; the same seed makes the same.
struct SeededMutator {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Texts that parsers have been wrong about.
  private static let pieces =
    [
      "\r\n", "\n", "\0", "\u{7F}", " ", "\t", ":", ";", "=", ",", "\"", "\\", "{", "}", "[", "]", "%", "&a", "*a",
      "- ", "#", "/", "..",
      "%2e%2e", "%00", "1e400", "-1", "0", "9223372036854775808", "99999999999999999999", "1e308", "0.1", "NaN", "null",
      "true",
      "\\ud800", "\\u0000", "é", "\u{301}", "👩‍👩‍👧", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
      "Host: a\r\n",
      "ffffffffffffffff\r\n", String(repeating: "[", count: 600), String(repeating: "{\"a\":", count: 600),
    ].map { Array($0.utf8) } + [[0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF]]

  /// One of the inputs with a few places changed, put in, taken out or copied from another.
  mutating func mutation(of input: [UInt8], others: [[UInt8]]) -> [UInt8] {
    var bytes = input
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let index = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, index + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      case 2: bytes.removeSubrange(index..<end)
      case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
      case 4:
        let other = others.randomElement(using: &random) ?? []
        let start = Int.random(in: 0...other.count, using: &random)
        bytes.insert(contentsOf: other[start...].prefix(60), at: index)
      default: bytes.replaceSubrange(index..<end, with: Self.pieces.randomElement(using: &random) ?? [])
      }
    }
    return bytes
  }

  /// The bytes in pieces of random sizes; one that is empty when there are none.
  mutating func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(Int.random(in: 1...24, using: &random))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    } while !rest.isEmpty
    return pieces
  }
}
