import Essentials
import Synchronization

/// The source of identifiers and random values. With a seed, it gives the same values in the same order each time.
public final class BridgeRandom: Sendable {
  private static let system = Mutex(SystemRandom())
  /// Nil for an unpredictable source. All unpredictable sources share ``system``.
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

  /// A random number from 0 up to, but not including, 1.
  package func fraction() -> Double {
    // A `Double` has 53 bits of precision.
    Double(next().0 >> 11) * 0x1p-53
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

/// Random numbers of the operating system. It fetches several at a time, since each fetch is a system call.
struct SystemRandom: Sendable {
  private var numbers: [UInt64] = []

  /// Takes the next number. It is not kept.
  mutating func next() -> UInt64 {
    if numbers.isEmpty { fetch() }
    return numbers.removeLast()
  }

  private mutating func fetch() {
    // One call gives at most 256 bytes.
    numbers = Array(repeating: 0, count: 256 / MemoryLayout<UInt64>.size)
    let isFilled = numbers.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { getentropy($0, bytes.count) == 0 } ?? false
    }
    if isFilled { return }
    var generator = SystemRandomNumberGenerator()
    for index in numbers.indices { numbers[index] = generator.next() }
  }
}

/// Steele, Lea and Flood's generator ("Fast splittable pseudorandom number generators", 2014): small, the same numbers for the same seed, and
/// not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose numbers follow from `seed` alone.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
