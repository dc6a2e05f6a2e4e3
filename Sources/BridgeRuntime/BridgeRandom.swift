import Synchronization

/// The source of identifiers and chance that everything is given; seeded, it gives the same values in the same order each time.
public final class BridgeRandom: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let seed: UInt64?

  /// A source that nobody can foresee.
  public init() {
    seed = nil
    generator = Mutex(SystemRandomNumberGenerator())
  }

  /// A source whose values follow from `seed` alone. Never for secrets.
  public init(seed: UInt64) {
    self.seed = seed
    generator = Mutex(SplitMix64(seed: seed))
  }

  /// A source of its own for what `name` names. Of a seeded source it follows from the seed and the name alone, whatever else was drawn, so
  /// that things that happen side by side do not change each other's values.
  public func stream(_ name: String) -> BridgeRandom {
    guard let seed else { return BridgeRandom() }
    // FNV-1a: every name has the same number in every run, unlike its `hashValue`.
    let number = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    var mixed = SplitMix64(seed: seed)
    return BridgeRandom(seed: mixed.next() ^ number)
  }

  /// A random UUID (RFC 9562, version 4), lower-case.
  public func uuid() -> String {
    let (high, low) = generator.withLock { ($0.next(), $0.next()) }
    let bytes = Self.bytes((high & ~0xF000) | 0x4000, (low & ~(0b11 << 62)) | (0b10 << 62))
    var digits = Array(Hexadecimal.text(bytes).utf8)
    for index in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: index) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// 128 random bits as 32 hexadecimal digits, lower-case.
  public func token() -> String {
    let (high, low) = generator.withLock { ($0.next(), $0.next()) }
    return Hexadecimal.text(Self.bytes(high, low))
  }

  private static func bytes(_ high: UInt64, _ low: UInt64) -> [UInt8] {
    [high, low].flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
  }
}
