public import TodayServer

extension FootbridgeOptions {
  /// The Today bridge: tokens, trust and events.
  public var today: TodayConfiguration {
    get { bridges[TodayDefinition.self]?.configuration ?? TodayConfiguration() }
    set { bridges.change(TodayDefinition.self) { $0.configuration = newValue } }
  }
}
