package import OnsideKit

/// Changes to the store's settings: what `footbridge.yaml`, a scenario or a test has set, and nothing else.
package struct OnsideSettingsChanges: Sendable {
  private var changes: [@Sendable (inout OnsideSettings) -> Void] = []

  /// No change.
  package init() {}

  /// Adds a change, which is made after those that are here already.
  package mutating func add(_ change: @escaping @Sendable (inout OnsideSettings) -> Void) {
    changes.append(change)
  }

  /// Makes the changes in the order in which they were added.
  package func apply(to settings: inout OnsideSettings) {
    for change in changes { change(&settings) }
  }
}
