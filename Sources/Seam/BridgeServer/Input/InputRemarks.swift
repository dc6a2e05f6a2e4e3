/// What a reader of a file notices and does not refuse, for the log.
///
/// All nodes of a file share one of these.
package final class InputRemarks {
  /// Creates an empty list.
  package init() {}

  /// The remarks, as sentences.
  package private(set) var texts: [String] = []

  /// Adds a remark, unless it is there already: some values are read twice.
  func add(_ text: String) {
    if !texts.contains(text) { texts.append(text) }
  }
}
