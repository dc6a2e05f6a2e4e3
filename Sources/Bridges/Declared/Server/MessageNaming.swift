import BridgeCore

/// A way to name a message: by its values at some places, or by a word.
package enum MessageNaming: Sendable, Hashable {
  /// The message's values at these places, joined with dots. It fits if all of them exist.
  case places([JSONPointer])
  /// A word, which always fits.
  case word(String)

  /// The naming in the shim's configuration.
  var json: JSONValue {
    switch self {
    case .word(let word): .string(word)
    case .places(let pointers): .array(pointers.map { .array($0.tokens.map { .string($0) }) })
    }
  }
}
