import BridgeRuntime

/// Finds the key of a session by something that a request names, such as an order.
package struct SessionLookup: Sendable, Hashable {
  /// What the request names. Two lookups with the same name find the same session.
  package let name: String
  /// Returns the key; nil if there is none. Throws an error if the store cannot be read.
  package let find: @Sendable @BridgeActor (SessionRegistry) async throws -> String?

  package init(_ name: String, find: @escaping @Sendable @BridgeActor (SessionRegistry) async throws -> String?) {
    self.name = name
    self.find = find
  }

  package static func == (one: SessionLookup, other: SessionLookup) -> Bool { one.name == other.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
