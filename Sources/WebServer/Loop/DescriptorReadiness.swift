/// What the kernel tells of a descriptor.
struct DescriptorReadiness: OptionSet {
  let rawValue: UInt8

  /// There are bytes, or the end, to be read.
  static let readable = DescriptorReadiness(rawValue: 1)
  /// It can take bytes.
  static let writable = DescriptorReadiness(rawValue: 2)
  /// The peer has gone, or the connection is broken: told even when nobody asks.
  static let broken = DescriptorReadiness(rawValue: 4)
}
