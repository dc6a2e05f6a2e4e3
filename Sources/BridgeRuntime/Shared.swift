/// A large value that its copies share: copying one takes as long as copying a reference, and so does comparing it with what it was copied
/// from. A change makes a new one, for whoever changes it alone.
@frozen
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline
    let value: Value

    @inlinable
    init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline
  var storage: Storage

  /// Wraps a value that nobody shares yet.
  @inlinable
  public init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  /// The value.
  @inlinable
  public var wrappedValue: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }

  /// The value as it is shared: to hand it on so that it stays so.
  @inlinable
  public var projectedValue: Shared { self }
}

extension Shared: Equatable where Value: Equatable {
  /// Compares the values, unless they are shared.
  @inlinable
  public static func == (one: Shared, other: Shared) -> Bool {
    one.storage === other.storage || one.storage.value == other.storage.value
  }
}

extension Shared: Hashable where Value: Hashable {
  /// Hashes the value.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.value)
  }
}

extension Shared: Encodable where Value: Encodable {
  /// Encodes the value alone.
  public func encode(to encoder: any Encoder) throws {
    try wrappedValue.encode(to: encoder)
  }
}

extension Shared: Decodable where Value: Decodable {
  /// Decodes the value alone.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Value(from: decoder))
  }
}
