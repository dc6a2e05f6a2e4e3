/// A large value that its copies share. Copying it, and comparing it with a copy, costs as little as for a reference. A
/// change gives the changed copy a value of its own.
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

  /// Wraps a value.
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

  /// The wrapper itself, to pass the value on without copying it.
  @inlinable
  public var projectedValue: Shared { self }
}

extension Shared: Equatable where Value: Equatable {
  /// Compares the values; shared ones are equal without a comparison.
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
