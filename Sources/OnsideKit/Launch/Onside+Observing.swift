import BridgeRuntime

/// What an observer of pages, such as a linter, must know of a launch.
extension Onside {
  /// The identifiers of the products that `purchase` finds: pages have loaded them in this launch.
  package func hasLoaded(product identifier: String) -> Bool { state.launch.loadedProducts[identifier] != nil }

  /// The country whose prices `loadProducts` returns now, ISO 3166-1 alpha-2.
  package var priceCountryCode: String { launch.territory.alpha2 }
}

extension QueuedTransaction {
  /// Whether it has ended, its observers know, and the app has not finished it.
  package var isLeftUnfinished: Bool { stage == .ended && !needsAnnouncement }
}
