package import BridgeRuntime

/// The errors that the linter has found in all sessions of a server that have ended. `footbridge exec --strict` fails because of them.
@BridgeActor
package final class LintTally {
  /// The maximum number of findings that are remembered.
  package static let limit = 200
  /// The findings, oldest first, each on one line.
  package private(set) var lines: [String] = []
  /// How many there were.
  package private(set) var count = 0

  init() {}

  /// A session ends. What its tests expected does not count.
  package func add(_ lint: SessionLint) {
    let found = lint.errorLines
    count += found.count
    lines += found.prefix(max(0, Self.limit - lines.count)).map(PageLog.line)
  }
}
