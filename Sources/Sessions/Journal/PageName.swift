/// The name of a page in the control API and the journal. It is a number within the session, so that the same actions give the same names.
struct PageName: Sendable, Hashable, CustomStringConvertible {
  /// The number, from 1.
  let number: Int

  /// The name, such as `page-1`.
  var description: String { "page-\(number)" }
}
