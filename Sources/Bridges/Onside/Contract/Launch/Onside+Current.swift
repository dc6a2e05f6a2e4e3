@_exported public import BridgeRuntime
@_exported public import Foundation

internal import BridgeCore

/// The session of the running code.
private enum OnsideScope {
  @TaskLocal static var onside: Onside?
}

extension Onside {
  /// The session that the program has set for its whole process.
  private static var named: Onside?

  /// The session that the static names work for: the one of `withCurrent(_:_:)` if the code runs in it, otherwise the one that was set
  /// here.
  ///
  /// Footbridge's server sets it for code that it calls for a page: the factory of hosts, `onPage`, and handlers of the page's requests. A
  /// launch that is terminated is no longer current.
  public static var current: Onside? {
    get { OnsideScope.onside ?? named }
    set { named = newValue }
  }

  /// Forgets a terminated launch.
  static func forgetCurrent(_ onside: Onside) {
    if named === onside { named = nil }
  }

  /// Runs `body`, and the tasks that it starts, with `onside` as the current session.
  public static func withCurrent<Result>(
    _ onside: Onside, _ body: @BridgeActor () throws -> Result
  ) rethrows -> Result {
    try OnsideScope.$onside.withValue(onside) { try body() }
  }

  /// Runs `body`, and the tasks that it starts, with another current session.
  public static func withCurrent<Result>(
    _ onside: Onside, _ body: @BridgeActor () async throws -> Result
  ) async rethrows -> Result {
    try await OnsideScope.$onside.withValue(onside) { try await body() }
  }

  // MARK: No session

  /// Called when host code uses a static name without a current session, with a sentence for the log. By default the sentence goes to
  /// standard error.
  ///
  /// The name does not trap. It works for a session without accounts and products. There, everything fails as the contract allows: products
  /// with `internalError`, purchases and restores with `loginDiscarded`, the history with `notLoggedIn`.
  public static var onMissingSession: (String) -> Void = { problem in
    try? StandardStream.error.write("OnsideKit: \(problem)\n")
  }

  /// The current session for a static name. Without one, a session in which everything fails.
  static func forEntry(_ name: String) -> Onside {
    if let current { return current }
    onMissingSession(
      "\(name) has no session. Set one with Onside.current = onside, or call it inside Onside.withCurrent(onside) { }.")
    var configuration = OnsideConfiguration()
    for call in [OnsideCall.loadProducts, .getAttributionMetadata, .getSignedInAppsHistory] {
      try? configuration.settings.set(OnsideCallBehaviour(error: "internalError"), for: call)
    }
    return Onside(
      configuration: Shared(wrappedValue: configuration), clock: SystemBridgeClock(), random: BridgeRandom(),
      presenter: NobodyPresenter())
  }
}

/// Dismisses every sheet.
private final class NobodyPresenter: SheetPresenter {
  nonisolated init() {}

  func present(_ sheet: Sheet) async -> SheetAnswer { .cancel }
}
