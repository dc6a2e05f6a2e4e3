import BridgeCore
import BridgeServer
import Sessions

/// A step by which a text is read, or a value is written.
package enum DeclaredCoding: Sendable, Hashable {
  /// JSON text.
  case json
  /// The base64 of a text in UTF-8.
  case base64
  /// The query of an address: `a=1&b=2`.
  case query
  /// A list of messages.
  case list
  /// A text that begins with this one.
  case prefix(String)
  /// Several texts with this one between them.
  case split(String)

  fileprivate static let words = ["json", "base64", "query", "list"]

  /// The step in the shim's configuration.
  var json: JSONValue {
    switch self {
    case .json: "json"
    case .base64: "base64"
    case .query: "query"
    case .list: "list"
    case .prefix(let text): ["prefix": .string(text)]
    case .split(let text): ["split": .string(text)]
    }
  }
}

extension [DeclaredCoding] {
  /// The steps in the shim's configuration.
  var json: JSONValue { .array(map { $0.json }) }
}

extension InputNode {
  /// Reads `decode` or `encode`: one step, or a list of steps in their order.
  func codings() throws(OptionError) -> [DeclaredCoding] {
    isList ? try list { node throws(OptionError) in try node.coding() } : [try coding()]
  }

  private func coding() throws(OptionError) -> DeclaredCoding {
    if isMapping {
      let members = try section(["prefix", "split"])
      switch (members["prefix"], members["split"]) {
      case (let prefix?, nil): return .prefix(try prefix.separator())
      case (nil, let split?): return .split(try split.separator())
      default: throw expected("given either prefix or split, a text such as { prefix: C }")
      }
    }
    switch try text() {
    case "json": return .json
    case "base64": return .base64
    case "query": return .query
    case "list": return .list
    default: throw expected(oneOf: DeclaredCoding.words + ["{ prefix: … }", "{ split: … }"])
    }
  }

  private func separator() throws(OptionError) -> String {
    let text = try text()
    guard (1...100).contains(text.utf8.count) else { throw expected("a text of 1 to 100 bytes") }
    return text
  }
}
