/// What the control API and the journal call a page: a number of its session's, so that what happens the same way again has the same names.
struct PageName: Sendable, Hashable, CustomStringConvertible {
  /// The number, from 1.
  let number: Int

  /// The name, such as `page-1`.
  var description: String { "page-\(number)" }
}
