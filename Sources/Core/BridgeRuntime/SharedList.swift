/// A list of large values whose copies share each element. Changing one element of a copy is cheap even in a long list,
/// and so is finding the elements in which two copies differ.
@frozen
public struct SharedList<Element: Sendable>: Sendable {
  @usableFromInline
  var elements: [Shared<Element>] = []

  /// Creates an empty list.
  @inlinable
  public init() {}
}

extension SharedList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// The first element's index: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable
  public var endIndex: Int { elements.count }

  /// An element.
  @inlinable
  public subscript(index: Int) -> Element {
    get { elements[index].wrappedValue }
    set { elements[index].wrappedValue = newValue }
  }

  /// Replaces elements by others.
  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with others: some Collection<Element>) {
    elements.replaceSubrange(range, with: others.map { Shared(wrappedValue: $0) })
  }

  /// Adds an element.
  @inlinable
  public mutating func append(_ element: Element) {
    elements.append(Shared(wrappedValue: element))
  }
}

extension SharedList {
  /// The indices of the elements that satisfy a condition. Copies no element.
  @inlinable
  public func indices(where isWanted: (Element) -> Bool) -> [Int] {
    elements.indices.filter { isWanted(elements[$0].storage.value) }
  }

  /// The index of the first element that satisfies a condition. Copies no element.
  @inlinable
  public func firstIndex(where isWanted: (Element) -> Bool) -> Int? {
    elements.firstIndex { isWanted($0.storage.value) }
  }

  /// The index of the first element that satisfies a condition. For a closure that reads several members of a large value, or compares one with
  /// a case of an enumeration, the compiler copies the value. It does not if the closure reads each of them from ``Shared/wrappedValue``.
  @inlinable
  public func firstIndex(whereShared isWanted: (Shared<Element>) -> Bool) -> Int? {
    elements.firstIndex { isWanted($0) }
  }

  /// The indices of the elements that satisfy a condition. Reads their members as ``firstIndex(whereShared:)`` does.
  @inlinable
  public func indices(whereShared isWanted: (Shared<Element>) -> Bool) -> [Int] {
    elements.indices.filter { isWanted(elements[$0]) }
  }

  /// The index of the last element that satisfies a condition. Reads its members as ``firstIndex(whereShared:)`` does.
  @inlinable
  public func lastIndex(whereShared isWanted: (Shared<Element>) -> Bool) -> Int? {
    elements.lastIndex { isWanted($0) }
  }
}

extension SharedList: ExpressibleByArrayLiteral {
  /// Creates a list.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension SharedList: Equatable where Element: Equatable {
  /// The length of the prefix that this list has in common with another one. Shared elements are not compared.
  @inlinable
  public func countOfSame(as other: SharedList) -> Int {
    elements.withUnsafeBufferPointer { own in
      other.elements.withUnsafeBufferPointer { others in
        let end = Swift.min(own.count, others.count)
        var index = 0
        while index < end, own[index] == others[index] { index += 1 }
        return index
      }
    }
  }
}

extension SharedList: Hashable where Element: Hashable {}

extension SharedList: Encodable where Element: Encodable {
  /// Encodes an array.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension SharedList: Decodable where Element: Decodable {
  /// Decodes an array.
  public init(from decoder: any Decoder) throws {
    elements = try [Shared<Element>](from: decoder)
  }
}
