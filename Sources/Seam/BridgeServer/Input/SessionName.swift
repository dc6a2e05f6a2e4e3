/// The names of sessions, and of snapshots.
package enum SessionName {
  /// The maximum length in bytes.
  package static let limit = 200
}

/// The names of worlds.
package enum WorldName {
  /// The end of an error message: "must be …".
  package static let expectation = "a name of 1 to \(SessionName.limit) bytes"

  /// Whether a world can have this name.
  package static func isPossible(_ name: String) -> Bool { (1...SessionName.limit).contains(name.utf8.count) }
}
