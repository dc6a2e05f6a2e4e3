package import BridgeCore
import BridgeServer
import Sessions

/// A way to name a message. The first way of a bridge that fits is used.
package enum MessageNaming: Sendable, Hashable {
  /// A part of a name.
  package enum Part: Sendable, Hashable {
    /// The text or the number at a place in the message. It fits if there is one.
    case place(JSONPointer)
    /// The name of the message handler. It fits if the message has come to one.
    case channel

    fileprivate var json: JSONValue {
      switch self {
      case .place(let pointer): .array(pointer.tokens.map { .string($0) })
      case .channel: true
      }
    }
  }

  /// The text before the first `separator` at a place in the message. It fits if the text has one.
  case before(separator: String, JSONPointer)
  /// These parts, joined with dots. It fits if all of them do.
  case parts([Part])
  /// A word, which always fits.
  case word(String)

  /// The maximum length of a name, in units of UTF-16. Longer ones do not fit.
  package static let longestName = 200

  /// The name of the message handler.
  package static let channel = MessageNaming.parts([.channel])

  /// The naming in the shim's configuration.
  var json: JSONValue {
    switch self {
    case .before(let separator, let pointer):
      ["before": .string(separator), "of": MessageNaming.Part.place(pointer).json]
    case .parts(let parts): .array(parts.map(\.json))
    case .word(let word): .string(word)
    }
  }
}

/// Names, as the shim finds them.
extension MessageNaming {
  /// The name of a message by this way; nil if it does not fit.
  package func name(of message: JSONValue, onChannel channel: String?) -> String? {
    let name: String? =
      switch self {
      case .word(let word): word
      case .parts(let parts): Self.joined(parts.map { $0.text(in: message, onChannel: channel) })
      case .before(let separator, let pointer):
        pointer.value(in: message)?.stringValue.flatMap { text in
          text.firstRange(of: separator).map { String(text[..<$0.lowerBound]) }
        }
      }
    guard let name, !name.isEmpty, name.utf16.count <= Self.longestName else { return nil }
    return name
  }

  private static func joined(_ parts: [String?]) -> String? {
    let texts = parts.compactMap { $0 }
    return texts.count == parts.count ? texts.joined(separator: ".") : nil
  }
}

extension MessageNaming.Part {
  fileprivate func text(in message: JSONValue, onChannel channel: String?) -> String? {
    switch self {
    case .channel: return channel
    case .place(let pointer):
      switch pointer.value(in: message) {
      case .string(let text): return text
      // The shim writes a number as JavaScript does, and JSON too.
      case .number(let number)?: return JSONValue.number(number).jsonText
      default: return nil
      }
    }
  }
}

extension [MessageNaming] {
  /// The name of a message by the first way that fits.
  package func name(of message: JSONValue, onChannel channel: String?) -> String {
    lazy.compactMap { $0.name(of: message, onChannel: channel) }.first ?? "message"
  }
}

extension InputNode {
  /// Reads `name` of a bridge's section: one way to name a message, or a list of ways.
  func namings() throws(OptionError) -> [MessageNaming] {
    guard isList else { return [try naming()] }
    let namings = try list { node throws(OptionError) in try node.naming() }
    guard !namings.isEmpty else { throw expected("at least one way to name a message, such as /type") }
    return namings
  }

  private func naming() throws(OptionError) -> MessageNaming {
    if isList {
      let parts = try list { node throws(OptionError) in try node.namingPart() }
      guard !parts.isEmpty else { throw expected("at least one place, such as /type") }
      return .parts(parts)
    }
    if isMapping {
      let members = try section(["before", "of"])
      guard let before = members["before"] else { throw expected("given before, a text such as \":\"") }
      let separator = try before.text()
      guard (1...20).contains(separator.utf8.count) else { throw before.expected("a text of 1 to 20 bytes") }
      return .before(separator: separator, try members["of"]?.pointer() ?? JSONPointer(tokens: []))
    }
    let text = try text()
    if text == "channel" || text.isEmpty || text.hasPrefix("/") { return .parts([try namingPart()]) }
    guard text.utf16.count <= MessageNaming.longestName else {
      throw expected("a name of at most \(MessageNaming.longestName) characters")
    }
    return .word(text)
  }

  private func namingPart() throws(OptionError) -> MessageNaming.Part {
    try text() == "channel" ? .channel : .place(try pointer())
  }
}
