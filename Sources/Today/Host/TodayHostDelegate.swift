public import BridgeRuntime

/// Watches a ``TodayHost``: for an event log that outlives it, for a dashboard, for a linter.
@BridgeActor
public protocol TodayHostDelegate: AnyObject {
  /// A page has tracked an event.
  func todayHost(_ host: TodayHost, didTrack event: TrackedEvent)

  /// A page has done something that deserves a remark.
  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic)

  /// The host has put something into ``TodayHost/cookies``, or taken something out.
  func todayHostDidChangeCookies(_ host: TodayHost)
}

extension TodayHostDelegate {
  /// Does nothing.
  public func todayHost(_ host: TodayHost, didTrack event: TrackedEvent) {}

  /// Does nothing.
  public func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {}

  /// Does nothing.
  public func todayHostDidChangeCookies(_ host: TodayHost) {}
}
