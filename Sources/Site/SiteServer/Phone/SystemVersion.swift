/// A version of a phone's system, such as 18.4.
struct SystemVersion: Sendable, Hashable, Comparable {
  let major: Int
  let minor: Int

  init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads `26` or `18.4`; nil if it is something else.
  init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
    }
    guard (1...2).contains(numbers.count), let major = numbers[0] else { return nil }
    guard let minor = numbers.count == 1 ? 0 : numbers[1] else { return nil }
    self.init(major: major, minor: minor)
  }

  static func < (one: SystemVersion, other: SystemVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}
