/// Cuts long results of tools, and remembers the rest of the latest ones. A pure state machine.
package struct AgentResults: Sendable {
  /// The most characters of one part.
  package static let partLimit = 6000
  /// How many cut results are remembered.
  static let limit = 8

  private var rests: [(cursor: String, text: Substring, quotesPage: Bool)] = []
  private var cutCount = 0

  /// Creates an empty memory.
  package init() {}

  /// Returns the first part of a text. If it is not the whole text, a sentence at the end names the cursor of the rest. `quotesPage` says whether
  /// the text may quote a page.
  package mutating func firstPart(of text: String, quotesPage: Bool) -> String {
    part(of: text[...], quotesPage: quotesPage)
  }

  /// Returns the next part of an earlier text, and whether it may quote a page; nil if the cursor is unknown or was used long ago.
  package mutating func nextPart(at cursor: String) -> (text: String, quotesPage: Bool)? {
    guard let index = rests.firstIndex(where: { $0.cursor == cursor }) else { return nil }
    let rest = rests.remove(at: index)
    return (part(of: rest.text, quotesPage: rest.quotesPage), rest.quotesPage)
  }

  private mutating func part(of text: Substring, quotesPage: Bool) -> String {
    let rest = text.dropFirst(Self.partLimit)
    guard !rest.isEmpty else { return String(text) }
    cutCount += 1
    let cursor = String(cutCount)
    rests.append((cursor, rest, quotesPage))
    if rests.count > Self.limit { rests.removeFirst() }
    return
      "\(text.prefix(Self.partLimit))\n… \(rest.count) more characters: use the tool more with the cursor \(cursor)."
  }
}
