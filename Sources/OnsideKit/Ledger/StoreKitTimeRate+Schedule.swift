import Essentials

extension StoreKitTimeRate {
  /// How a rate converts a subscription's period to time on the session's clock.
  private enum Schedule {
    /// By the calendar, in UTC.
    case calendar
    /// The length of a day in milliseconds. A month has 30 days, a year 365.
    case day(Double)
    /// The length of a month in milliseconds. A month has 30 days, a year twelve months.
    case month(Double)
    /// The length of every period in milliseconds.
    case period(Double)
  }

  private var schedule: Schedule {
    switch self {
    case .realTime: .calendar
    case .oneHourIsOneDay: .day(3_600_000)
    case .thirtyMinutesIsOneDay: .day(1_800_000)
    case .fiveMinutesIsOneDay: .day(300_000)
    case .oneMinuteIsOneDay: .day(60000)
    case .thirtySecondsIsOneDay: .day(30000)
    case .oneSecondIsOneDay: .day(1000)
    case .monthlyRenewalEveryHour: .month(3_600_000)
    case .monthlyRenewalEveryThirtyMinutes: .month(1_800_000)
    case .monthlyRenewalEveryFifteenMinutes: .month(900_000)
    case .monthlyRenewalEveryFiveMinutes: .month(300_000)
    case .monthlyRenewalEveryThirtySeconds: .month(30000)
    case .oneRenewalEveryFifteenMinutes: .period(900_000)
    case .oneRenewalEveryFiveMinutes: .period(300_000)
    case .oneRenewalEveryMinute: .period(60000)
    case .oneRenewalEveryThirtySeconds: .period(30000)
    case .oneRenewalEveryTenSeconds: .period(10000)
    case .oneRenewalEveryTwoSeconds: .period(2000)
    }
  }

  /// The end of a period that starts at `start`, both in milliseconds since the Unix epoch.
  func end(of period: OnsidePeriod, from start: Double) -> Double {
    let count = Double(period.numberOfUnits)
    switch schedule {
    case .calendar: return Self.calendarEnd(of: period, from: start)
    case .day(let day): return start + day * Self.days(in: period, daysOfYear: 365) * count
    case .month(let month): return start + month / 30 * Self.days(in: period, daysOfYear: 360) * count
    case .period(let length): return start + length
    }
  }

  private static func days(in period: OnsidePeriod, daysOfYear: Double) -> Double {
    switch period {
    case .day: 1
    case .week: 7
    case .month: 30
    case .year: daysOfYear
    }
  }

  private static func calendarEnd(of period: OnsidePeriod, from start: Double) -> Double {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let component: Calendar.Component =
      switch period {
      case .day, .week: .day
      case .month: .month
      case .year: .year
      }
    let count = if case .week(let weeks) = period { weeks * 7 } else { period.numberOfUnits }
    let end = calendar.date(byAdding: component, value: count, to: Date(timeIntervalSince1970: start / 1000))
    return (end?.timeIntervalSince1970 ?? start / 1000) * 1000
  }
}
