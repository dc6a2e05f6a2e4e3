/// Cuts long results of tools, and remembers the rest of the latest ones. A pure state machine.
package struct AgentResults: Sendable {
  /// The most characters of one part.
  package static let partLimit = 6000
  /// How many cut results are remembered.
  static let limit = 8

  private var rests: [(cursor: String, text: Substring)] = []
  private var cutCount = 0

  /// Creates an empty memory.
  package init() {}

  /// Returns the first part of a text. If it is not the whole text, a sentence at the end names the cursor of the rest.
  package mutating func firstPart(of text: String) -> String { part(of: text[...]) }

  /// Returns the next part of an earlier text; nil if the cursor is unknown or was used long ago.
  package mutating func nextPart(at cursor: String) -> String? {
    guard let index = rests.firstIndex(where: { $0.cursor == cursor }) else { return nil }
    return part(of: rests.remove(at: index).text)
  }

  private mutating func part(of text: Substring) -> String {
    let rest = text.dropFirst(Self.partLimit)
    guard !rest.isEmpty else { return String(text) }
    cutCount += 1
    let cursor = String(cutCount)
    rests.append((cursor, rest))
    if rests.count > Self.limit { rests.removeFirst() }
    return
      "\(text.prefix(Self.partLimit))\n… \(rest.count) more characters: use the tool more with the cursor \(cursor)."
  }
}
