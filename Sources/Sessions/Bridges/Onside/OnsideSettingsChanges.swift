package import OnsideKit

/// Changes to the store's settings: exactly those that `footbridge.yaml`, a scenario or a test has set.
package struct OnsideSettingsChanges: Sendable {
  private var changes: [@Sendable (inout OnsideSettings) -> Void] = []

  /// No change.
  package init() {}

  /// Adds a change. It is applied after the earlier ones.
  package mutating func add(_ change: @escaping @Sendable (inout OnsideSettings) -> Void) {
    changes.append(change)
  }

  /// Applies the changes in order.
  package func apply(to settings: inout OnsideSettings) {
    for change in changes { change(&settings) }
  }
}
