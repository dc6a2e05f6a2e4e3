public import BridgeRuntime

/// Whoever shows native screens: a session's page, its control API, or a policy that approves everything.
@BridgeActor
public protocol SheetPresenter: AnyObject {
  /// Shows `sheet` and waits for its answer. Cancelling the task takes the sheet away; the answer is then ``SheetAnswer/cancel``.
  func present(_ sheet: Sheet) async -> SheetAnswer
}
