public import HTTPTypes

extension HTTPFields {
  /// Puts fields together that are in a list, in its order: what `append` would do with each, for all of them at once.
  public init(inOrder list: [HTTPField]) {
    self.init()
    reserveCapacity(list.count)
    // The library's code is not specialised for arrays: it takes ten times as long over an array's own iterator.
    list.withUnsafeBufferPointer { replaceSubrange(0..<0, with: $0) }
  }

  /// The value of the one field of a name, as `self[name]` gives it; several are joined as there.
  public func value(of name: HTTPField.Name) -> String? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    if self[(index + 1)...].contains(where: { $0.name == name }) { return self[name] }
    return self[index].value
  }
}
