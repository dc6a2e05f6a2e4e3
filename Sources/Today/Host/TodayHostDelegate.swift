public import BridgeRuntime

/// Is told what happens in a ``TodayHost``. All methods are optional.
@BridgeActor
public protocol TodayHostDelegate: AnyObject {
  /// A page tracked an event.
  func todayHost(_ host: TodayHost, didTrack event: TrackedEvent)

  /// A page made a mistake that a device would ignore.
  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic)

  /// The host changed ``TodayHost/cookies``.
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
