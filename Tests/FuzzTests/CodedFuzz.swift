import ContentDecoding
import HTTP1

/// Bodies with content codings: how they are cut changes nothing, and nothing becomes larger than it may be.
enum CodedFuzz {
  private static let byteLimit = 1 << 20

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let names = input.prefix { $0 != UInt8(ascii: "\n") }
    let codings = String(decoding: names, as: UTF8.self).split(separator: " ").map(String.init)
    let body = input.dropFirst(names.count + 1)
    guard let whole = decode([body], codings) else { return }
    var random = SeededMutator(seed: UInt64(input.count))
    let inPieces = decode(random.pieces(of: Array(body)), codings)
    try FuzzFinding.unless(
      whole == inPieces, "In pieces: \(inPieces?.count ?? 0) bytes\nWhole: \(whole.count) bytes")
    try FuzzFinding.unless(whole.count <= byteLimit, "It is too large: \(whole.count) bytes")
  }

  /// The decoded body as far as it is valid and within the limit; nil without a decoder.
  private static func decode(_ pieces: [ArraySlice<UInt8>], _ codings: [String]) -> [UInt8]? {
    guard let decoder = ContentDecoder(codings: codings, byteLimit: byteLimit) else { return nil }
    var decoded: [UInt8] = []
    do {
      for piece in pieces {
        decoder.push(Array(piece))
        while let bytes = try decoder.next() { decoded += bytes }
      }
    } catch {
      // What came before a mistake depends on the pieces.
      return []
    }
    return decoded
  }
}
