import Essentials

/// Random numbers of the operating system. It fetches several at a time, since each fetch is a system call.
struct SystemRandom: Sendable {
  private var numbers: [UInt64] = []

  /// Takes the next number, which is not stored any longer.
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
