/// Why an input was not treated as it should be.
struct FuzzFinding: Error, CustomStringConvertible {
  /// What went wrong, for people.
  let description: String

  /// Throws unless `condition` holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    guard condition else { throw FuzzFinding(description: description()) }
  }
}
