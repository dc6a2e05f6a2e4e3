import SiteServer

/// What one of Footbridge's adapters knows, as its file says in the comment at its beginning.
package struct DeclaredPreset: Sendable {
  /// The name for `preset`.
  package let name: String
  /// Whose bridge it is, in a line.
  package let host: String
  /// The vendor's files that it was compared with, and their versions.
  package let source: String
  /// What it does as the vendor's.
  package let plays: String
  /// What it does not do.
  package let notPlayed: String
  /// The vendor's own scripts that have run on it unchanged, with their versions; nil for none.
  package let ran: String?

  /// All of them, by name.
  package static let all = DeclaredPresets.names.compactMap { DeclaredPreset(named: $0) }

  /// Reads the comment of an adapter; nil if there is none of this name, or if its comment lacks something.
  package init?(named name: String) {
    guard let file = EmbeddedFile.all[DeclaredPresets.path(of: name)] else { return nil }
    let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      .prefix { $0.hasPrefix("// ") }.map { $0.dropFirst("// ".count) }
    let read = { (key: String) in lines.first { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.count + 2)) } }
    guard let host = lines.first, let source = read("Source"), let plays = read("Plays"),
      let notPlayed = read("Not played")
    else { return nil }
    self.name = name
    self.host = String(host)
    (self.source, self.plays, self.notPlayed, ran) = (source, plays, notPlayed, read("Ran"))
  }
}
