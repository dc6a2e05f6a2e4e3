/// How fast subscriptions renew: the raw values of StoreKitTest's `SKTestSession.TimeRate`, which `_timeRate` holds.
public enum StoreKitTimeRate: Int, Sendable, Codable, CaseIterable {
  /// As in production.
  case realTime = 0
  /// A day takes one hour.
  case oneHourIsOneDay = 1
  /// A day takes half an hour.
  case thirtyMinutesIsOneDay = 2
  /// A day takes five minutes.
  case fiveMinutesIsOneDay = 3
  /// A day takes one minute.
  case oneMinuteIsOneDay = 4
  /// A day takes half a minute.
  case thirtySecondsIsOneDay = 5
  /// A day takes one second.
  case oneSecondIsOneDay = 6
  /// A month takes one hour.
  case monthlyRenewalEveryHour = 10
  /// A month takes half an hour.
  case monthlyRenewalEveryThirtyMinutes = 11
  /// A month takes a quarter of an hour.
  case monthlyRenewalEveryFifteenMinutes = 12
  /// A month takes five minutes.
  case monthlyRenewalEveryFiveMinutes = 13
  /// A month takes half a minute.
  case monthlyRenewalEveryThirtySeconds = 15
  /// Each period, however long, takes a quarter of an hour.
  case oneRenewalEveryFifteenMinutes = 1000
  /// Each period takes five minutes.
  case oneRenewalEveryFiveMinutes = 1001
  /// Each period takes one minute.
  case oneRenewalEveryMinute = 1002
  /// Each period takes half a minute.
  case oneRenewalEveryThirtySeconds = 1003
  /// Each period takes ten seconds.
  case oneRenewalEveryTenSeconds = 1004
  /// Each period takes two seconds.
  case oneRenewalEveryTwoSeconds = 1005
}
