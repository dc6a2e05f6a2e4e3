/// A fast hash that multiplies words, as wyhash (Wang Yi) does. (With the hash of the standard library, 16 % more instructions for a
/// `query of a page`.)
///
/// The seed is that of the standard library, which differs in each process unless `SWIFT_DETERMINISTIC_HASHING` is set. A page that finds
/// two texts with the same hash harms only itself.
enum WordHash {
  private static let seed = UInt64(truncatingIfNeeded: Hasher().finalize())
  /// Two constants with as many set bits as cleared ones.
  private static let words: (UInt64, UInt64) = (0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)

  /// Returns the hash of `text`.
  static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return 0 }
    var hash = seed
    var rest: (UInt64, UInt64) = (0, 0)
    if text.count >= 16 {
      var index = 0
      while index &+ 16 < text.count {
        hash = mixed(word(start, at: index) ^ words.0, word(start, at: index &+ 8) ^ hash)
        index &+= 16
      }
      // Read the last sixteen bytes. Some of them may have been read before.
      rest = (word(start, at: text.count &- 16), word(start, at: text.count &- 8))
    } else {
      if text.count >= 8 { rest.0 = word(start, at: 0) }
      for index in (text.count & 8)..<text.count { rest.1 = rest.1 << 8 | UInt64(text[index]) }
    }
    hash = mixed(rest.0 ^ words.0, rest.1 ^ hash)
    return Int(truncatingIfNeeded: mixed(hash, UInt64(truncatingIfNeeded: text.count) ^ words.1))
  }

  private static func word(_ start: UnsafeRawPointer, at offset: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return product.high ^ product.low
  }
}
