import Synchronization

/// The source of identifiers and chance that everything is given; seeded, it gives the same values in the same order each time.
public final class BridgeRandom: Sendable {
  private static let system = Mutex(SystemRandom())
  /// Nil for a source that nobody can foresee: those are all one.
  private let generator: Mutex<SplitMix64?>
  private let seed: UInt64?

  /// A source that nobody can foresee.
  public init() {
    seed = nil
    generator = Mutex(nil)
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
    let (high, low) = next()
    let numbers = ((high & ~0xF000) | 0x4000, (low & ~(0b11 << 62)) | (0b10 << 62))
    return String(unsafeUninitializedCapacity: 36) { digits in
      Hexadecimal.write(numbers.0 >> 32, digits: 8, to: digits, at: 0)
      Hexadecimal.write(numbers.0 >> 16, digits: 4, to: digits, at: 9)
      Hexadecimal.write(numbers.0, digits: 4, to: digits, at: 14)
      Hexadecimal.write(numbers.1 >> 48, digits: 4, to: digits, at: 19)
      Hexadecimal.write(numbers.1, digits: 12, to: digits, at: 24)
      for index in [8, 13, 18, 23] { digits[index] = UInt8(ascii: "-") }
      return 36
    }
  }

  /// 128 random bits as 32 hexadecimal digits, lower-case.
  public func token() -> String {
    let (high, low) = next()
    return String(unsafeUninitializedCapacity: 32) { digits in
      Hexadecimal.write(high, digits: 16, to: digits, at: 0)
      Hexadecimal.write(low, digits: 16, to: digits, at: 16)
      return 32
    }
  }

  private func next() -> (UInt64, UInt64) {
    let seeded = generator.withLock { generator -> (UInt64, UInt64)? in
      guard var next = generator else { return nil }
      defer { generator = next }
      return (next.next(), next.next())
    }
    return seeded ?? Self.system.withLock { ($0.next(), $0.next()) }
  }
}
