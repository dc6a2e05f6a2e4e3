/// The names of sessions, and of snapshots.
enum SessionName {
  /// The maximum length in bytes.
  static let limit = 200
}

/// The names of worlds.
enum WorldName {
  /// The end of an error message: "must be …".
  static let expectation = "a name of 1 to \(SessionName.limit) bytes"

  /// Whether a world can have this name.
  static func isPossible(_ name: String) -> Bool { (1...SessionName.limit).contains(name.utf8.count) }
}
