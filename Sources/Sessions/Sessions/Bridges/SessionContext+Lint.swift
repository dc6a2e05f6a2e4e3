/// The linter, for the bridges' parts of a session.
extension SessionContext {
  /// Whether a rule of the linter is switched on.
  package func isLinted(_ rule: String) -> Bool { launch.lint.isOn(rule) }

  /// Whether a test's rule has changed the outcome of a call with this action, or holds one. The linter then ignores mistakes that this may
  /// have caused.
  package func isDecided(_ action: String) -> Bool {
    launch.lint.decidedActions.contains(action) || launch.rules.isHolding(action)
  }

  /// Whether a test's rule holds a call with this action.
  package func isHeld(_ action: String) -> Bool { launch.rules.isHolding(action) }

  /// A rule of the linter has found something.
  package func report(_ finding: LintFinding) {
    launch.lint.report(finding)
  }
}
