import BridgeRuntime
import Sessions

extension FootbridgeServer {
  /// What the linter says at the end of a run.
  public struct LintSummary: Sendable {
    /// How many errors it has found in pages, without those that tests have expected.
    public let errorCount: Int
    /// The errors on one line each; not more than a few hundred.
    public let lines: [String]
  }

  /// Has the linter report what only the end of a session shows, and returns the errors in all sessions, those that have ended included.
  public func concludeLint() -> LintSummary {
    for session in sessions.running {
      session.concludeLint()
      sessions.lintTally.add(session.lint)
    }
    let tally = sessions.lintTally
    return LintSummary(errorCount: tally.count, lines: tally.lines)
  }
}
