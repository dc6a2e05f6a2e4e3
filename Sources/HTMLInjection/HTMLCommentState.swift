/// The inside of a comment, after its `<!--`, as the HTML Standard's tokenizer reads it. It ends at `-->` or `--!>`;
/// `<!-->` and `<!--->` are complete comments.
struct HTMLCommentState {
  private enum State {
    case start
    case startDash
    case text
    case endDash
    case end
    case endBang
  }

  private var state = State.start

  /// Reads the next code unit; returns true when it ends the comment.
  mutating func reads(_ unit: UInt16) -> Bool {
    switch (state, unit) {
    case (.start, .greaterThan), (.startDash, .greaterThan), (.end, .greaterThan), (.endBang, .greaterThan): return true
    case (.start, .dash): state = .startDash
    case (.startDash, .dash), (.endDash, .dash), (.end, .dash): state = .end
    case (.text, .dash), (.endBang, .dash): state = .endDash
    case (.end, .exclamationMark): state = .endBang
    default: state = .text
    }
    return false
  }
}
