/// Takes comments out of scripts that we wrote ourselves, so that pages load less.
enum ScriptComments {
  /// The script without lines that hold nothing but a `//` comment, and without documentation blocks: those that begin a line with `/**`
  /// and end one with `*/`.
  ///
  /// It knows lines, not JavaScript: no line of a template literal may begin like a comment. A test holds our scripts to that.
  static func removed(from source: String) -> String {
    var kept: [Substring] = []
    var block: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.trimmingPrefix { $0 == " " }
      if block == nil, text.hasPrefix("//") { continue }
      guard block != nil || text.hasPrefix("/**") else {
        kept.append(line)
        continue
      }
      block = (block ?? []) + [line]
      guard let end = text.firstRange(of: "*/") else { continue }
      // What follows the comment on its last line is code, and the comment may be about its type.
      if !text[end.upperBound...].allSatisfy({ $0 == " " }) { kept += block ?? [] }
      block = nil
    }
    return (kept + (block ?? [])).joined(separator: "\n")
  }
}
