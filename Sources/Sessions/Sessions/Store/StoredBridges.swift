package import BridgeCore

/// The sections that declare a session's own bridges. The store keeps them, so that the next launch has these bridges again, at any server.
package struct StoredBridges: Sendable, Hashable {
  /// The maximum size of all sections of a session, in bytes of JSON.
  package static let byteLimit = 16 << 20

  /// The sections, by the names of the bridges.
  package private(set) var sections: [String: JSONValue] = [:]

  /// No sections.
  package init() {}

  /// Keeps a section in place of an earlier one of the same name. Returns false if the sections would be too large together.
  package mutating func store(_ section: JSONValue, as name: String) -> Bool {
    var changed = self
    changed.sections[name] = section
    guard changed.byteCount <= Self.byteLimit else { return false }
    self = changed
    return true
  }

  /// The size of all sections, in bytes of JSON.
  package var byteCount: Int { sections.values.reduce(0) { $0 + $1.jsonText.utf8.count } }

  /// Whether there are none.
  var isEmpty: Bool { sections.isEmpty }
}

extension StoredBridges: Codable {
  package init(from decoder: any Decoder) throws {
    sections = try decoder.singleValueContainer().decode([String: JSONValue].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(sections)
  }
}
