/// What is to be told of a descriptor.
struct DescriptorInterest: OptionSet {
  let rawValue: UInt8

  /// That it has bytes, or an end.
  static let reading = DescriptorInterest(rawValue: 1)
  /// That it can take bytes.
  static let writing = DescriptorInterest(rawValue: 2)
}
