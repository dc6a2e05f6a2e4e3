import Synchronization

/// The source of identifiers and random values. With a seed, it gives the same values in the same order each time.
public final class BridgeRandom: Sendable {
  private static let system = Mutex(SystemRandom())
  /// Nil for an unpredictable source; all of these share one generator.
  private let generator: Mutex<SplitMix64?>
  private let seed: UInt64?

  /// Creates an unpredictable source.
  public init() {
    seed = nil
    generator = Mutex(nil)
  }

  /// Creates a source whose values depend only on `seed`. Do not use it for secrets.
  public init(seed: UInt64) {
    self.seed = seed
    generator = Mutex(SplitMix64(seed: seed))
  }

  /// A separate source for one purpose. If this source has a seed, the new source depends only on the seed and `name`,
  /// so that concurrent work does not change each other's values.
  ///
  /// - Parameter name: The purpose, such as a session's name.
  public func stream(_ name: String) -> BridgeRandom {
    guard let seed else { return BridgeRandom() }
    // FNV-1a gives a name the same number in every run, which `hashValue` does not.
    let number = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    var mixed = SplitMix64(seed: seed)
    return BridgeRandom(seed: mixed.next() ^ number)
  }

  /// A random UUID (RFC 9562, version 4), lower-case.
  public func uuid() -> String {
    let (high, low) = uuidHalves()
    return Hexadecimal.uuid(high, low)
  }

  /// A random UUID (RFC 9562, version 4) as two numbers.
  package func uuidHalves() -> (high: UInt64, low: UInt64) {
    let (high, low) = next()
    return ((high & ~0xF000) | 0x4000, (low & ~(0b11 << 62)) | (0b10 << 62))
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
