import Essentials

/// The clock of subscriptions. Apple publishes the lengths at each rate in the documentation of `SKTestSession.TimeRate`; `docs/onside.md`
/// has the whole table. Comments mark the lengths that Apple does not publish: they are ours.
extension StoreKitTimeRate {
  /// How a rate converts a subscription's period to time on the session's clock. All lengths are in seconds.
  private enum Schedule {
    /// By the calendar, in UTC.
    case calendar
    /// A rate that Apple has deprecated: only the length of a day is published. A month has 30 days, a year 365.
    case day(Double)
    /// The lengths of a week and a month, of the grace period for weekly subscriptions and for others, and of the billing retry. Two, three,
    /// six and twelve months are multiples of a month.
    case scaled(week: Double, month: Double, weeklyGrace: Double, grace: Double, retry: Double)
    /// The length of every period, and of the grace period. The billing retry takes two of them.
    case period(Double)
  }

  private var schedule: Schedule {
    switch self {
    case .realTime: .calendar
    case .oneHourIsOneDay: .day(3600)
    case .thirtyMinutesIsOneDay: .day(1800)
    case .fiveMinutesIsOneDay: .day(300)
    case .oneMinuteIsOneDay: .day(60)
    case .thirtySecondsIsOneDay: .day(30)
    case .oneSecondIsOneDay: .day(1)
    case .monthlyRenewalEveryHour: .scaled(week: 900, month: 3600, weeklyGrace: 771, grace: 1800, retry: 7200)
    case .monthlyRenewalEveryThirtyMinutes: .scaled(week: 600, month: 1800, weeklyGrace: 514, grace: 900, retry: 3600)
    case .monthlyRenewalEveryFifteenMinutes: .scaled(week: 300, month: 900, weeklyGrace: 257, grace: 450, retry: 1800)
    case .monthlyRenewalEveryFiveMinutes: .scaled(week: 180, month: 300, weeklyGrace: 154, grace: 150, retry: 600)
    case .monthlyRenewalEveryThirtySeconds: .scaled(week: 10, month: 30, weeklyGrace: 9, grace: 15, retry: 60)
    case .oneRenewalEveryFifteenMinutes: .period(900)
    case .oneRenewalEveryFiveMinutes: .period(300)
    case .oneRenewalEveryMinute: .period(60)
    case .oneRenewalEveryThirtySeconds: .period(30)
    case .oneRenewalEveryTenSeconds: .period(10)
    case .oneRenewalEveryTwoSeconds: .period(2)
    }
  }

  // MARK: Renewal

  /// The end of a period, or of several in a row, that start at `start`; both in milliseconds since the Unix epoch. By the calendar, months
  /// and years end on the day of the month of `anchor`, or on the last one of a shorter month; nil stands for `start`.
  func end(of period: OnsidePeriod, times periods: Int = 1, from start: Double, anchor: Double? = nil) -> Double {
    let count = Double(period.numberOfUnits) * Double(periods)
    return switch schedule {
    // Several months in one step: each for itself, they would lose days after a short one.
    case .calendar: Self.calendarEnd(of: period, times: periods, from: start, anchor: anchor ?? start)
    case .day(let day): start + 1000 * day * Self.days(in: period) * count
    case .scaled(let week, let month, _, _, _): start + 1000 * Self.length(of: period, week: week, month: month) * count
    case .period(let length): start + 1000 * length * Double(periods)
    }
  }

  private static func days(in period: OnsidePeriod) -> Double {
    switch period {
    case .day: 1
    case .week: 7
    case .month: 30
    case .year: 365
    }
  }

  /// The length of one unit. Apple's table has no day. A seventh of a week is our choice.
  private static func length(of period: OnsidePeriod, week: Double, month: Double) -> Double {
    switch period {
    case .day: week / 7
    case .week: week
    case .month: month
    case .year: month * 12
    }
  }

  private static func calendarEnd(
    of period: OnsidePeriod, times periods: Int, from start: Double, anchor: Double
  ) -> Double {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let component: Calendar.Component =
      switch period {
      case .day, .week: .day
      case .month: .month
      case .year: .year
      }
    let units = if case .week(let weeks) = period { weeks * 7 } else { period.numberOfUnits }
    let from = Date(timeIntervalSince1970: start / 1000)
    guard var end = calendar.date(byAdding: component, value: units * periods, to: from) else { return start }
    if component != .day {
      let anchorDay = calendar.component(.day, from: Date(timeIntervalSince1970: anchor / 1000))
      // How many days a date is before the anchor's day.
      func lag(_ date: Date) -> Int {
        let last = calendar.range(of: .day, in: .month, for: date)?.last ?? anchorDay
        return min(anchorDay, last) - calendar.component(.day, from: date)
      }
      // A period that began on another day, for example at another rate, keeps that one.
      if lag(from) == 0 { end = calendar.date(byAdding: .day, value: lag(end), to: end) ?? end }
    }
    return end.timeIntervalSince1970 * 1000
  }

  // MARK: Billing

  /// Days of real time, in seconds.
  private static let day = 86_400.0

  /// How long a subscription stays active after a failed renewal, if the grace period is on, in seconds.
  public func gracePeriod(of period: OnsidePeriod) -> Double {
    let isWeekly = period == .week(1) || period == .day(7)
    let days = isWeekly ? 6.0 : 16
    return switch schedule {
    case .calendar: days * Self.day
    // Apple does not publish it. Our choice: the days pass at this rate.
    case .day(let day): days * day
    case .scaled(_, _, let weeklyGrace, let grace, _): isWeekly ? weeklyGrace : grace
    case .period(let length): length
    }
  }

  /// How long the store tries to charge a failed renewal, in seconds.
  public var billingRetryPeriod: Double {
    let days = 60.0
    return switch schedule {
    case .calendar: days * Self.day
    // Apple does not publish it. Our choice: the days pass at this rate.
    case .day(let day): days * day
    case .scaled(_, _, _, _, let retry): retry
    case .period(let length): length * 2
    }
  }
}
