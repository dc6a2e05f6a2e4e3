import Foundation
import Testing

@testable import OnsideKit

/// What Apple publishes of `SKTestSession.TimeRate`, in seconds: a page for each rate below
/// https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum.
private struct PublishedRate {
  let rate: StoreKitTimeRate
  /// A week, a month, two, three and six months, a year.
  let periods: [Double]
  let weeklyGrace: Double
  let grace: Double
  let retry: Double

  static let all = [
    PublishedRate(
      rate: .monthlyRenewalEveryHour, periods: [900, 3600, 7200, 10_800, 21_600, 43_200], weeklyGrace: 771,
      grace: 1800, retry: 7200),
    PublishedRate(
      rate: .monthlyRenewalEveryThirtyMinutes, periods: [600, 1800, 3600, 5400, 10_800, 21_600], weeklyGrace: 514,
      grace: 900, retry: 3600),
    PublishedRate(
      rate: .monthlyRenewalEveryFifteenMinutes, periods: [300, 900, 1800, 2700, 5400, 10_800], weeklyGrace: 257,
      grace: 450, retry: 1800),
    PublishedRate(
      rate: .monthlyRenewalEveryFiveMinutes, periods: [180, 300, 600, 900, 1800, 3600], weeklyGrace: 154, grace: 150,
      retry: 600),
    PublishedRate(
      rate: .monthlyRenewalEveryThirtySeconds, periods: [10, 30, 60, 90, 180, 360], weeklyGrace: 9, grace: 15,
      retry: 60),
    fixed(.oneRenewalEveryFifteenMinutes, period: 900, retry: 1800),
    fixed(.oneRenewalEveryFiveMinutes, period: 300, retry: 600),
    fixed(.oneRenewalEveryMinute, period: 60, retry: 120),
    fixed(.oneRenewalEveryThirtySeconds, period: 30, retry: 60),
    fixed(.oneRenewalEveryTenSeconds, period: 10, retry: 20),
    fixed(.oneRenewalEveryTwoSeconds, period: 2, retry: 4),
  ]

  private static func fixed(_ rate: StoreKitTimeRate, period: Double, retry: Double) -> PublishedRate {
    PublishedRate(
      rate: rate, periods: Array(repeating: period, count: 6), weeklyGrace: period, grace: period, retry: retry)
  }
}

struct TimeRateTests {
  /// 2025-10-09.
  private let start = 1_760_000_000_000.0
  private let periods = [
    OnsidePeriod.week(1), .month(1), .month(2), .month(3), .month(6), .year(1),
  ]
  private let day = 86_400.0

  private func length(of period: OnsidePeriod, _ rate: StoreKitTimeRate) -> Double {
    (rate.end(of: period, from: start) - start) / 1000
  }

  @Test(arguments: PublishedRate.all.indices)
  func `each time rate has the lengths that Apple publishes`(_ index: Int) {
    let published = PublishedRate.all[index]
    #expect(periods.map { length(of: $0, published.rate) } == published.periods)
    #expect(published.rate.gracePeriod(of: .week(1)) == published.weeklyGrace)
    #expect(periods.dropFirst().allSatisfy { published.rate.gracePeriod(of: $0) == published.grace })
    #expect(published.rate.billingRetryPeriod == published.retry)
  }

  @Test func `in real time periods follow the calendar, and billing periods have days`() {
    #expect(periods.map { length(of: $0, .realTime) / day } == [7, 31, 61, 92, 182, 365])
    #expect(length(of: .week(2), .realTime) == 14 * day)
    #expect(StoreKitTimeRate.realTime.gracePeriod(of: .week(1)) == 6 * day)
    #expect(StoreKitTimeRate.realTime.gracePeriod(of: .month(1)) == 16 * day)
    #expect(StoreKitTimeRate.realTime.billingRetryPeriod == 60 * day)
  }

  @Test func `in real time a period that began on another day than its anchor retains its day`() {
    let (october9, october31) = (start, start + 22 * 86_400_000)
    let end = StoreKitTimeRate.realTime.end(of: .month(1), from: october9, anchor: october31)
    #expect(end == october9 + 31 * 86_400_000)
  }

  @Test(arguments: [
    (StoreKitTimeRate.oneHourIsOneDay, 3600.0), (.thirtyMinutesIsOneDay, 1800), (.fiveMinutesIsOneDay, 300),
    (.oneMinuteIsOneDay, 60), (.thirtySecondsIsOneDay, 30), (.oneSecondIsOneDay, 1),
  ])
  func `the deprecated time rates shorten the days of real time`(_ rate: StoreKitTimeRate, _ day: Double) {
    #expect(periods.map { length(of: $0, rate) / day } == [7, 30, 60, 90, 180, 365])
    #expect(rate.gracePeriod(of: .week(1)) == 6 * day)
    #expect(rate.gracePeriod(of: .year(1)) == 16 * day)
    #expect(rate.billingRetryPeriod == 60 * day)
  }

  @Test func `a period of days is a part of a week`() {
    #expect(length(of: .day(7), .monthlyRenewalEveryHour) == 900)
    #expect(StoreKitTimeRate.monthlyRenewalEveryHour.gracePeriod(of: .day(7)) == 771)
    #expect(length(of: .week(3), .monthlyRenewalEveryThirtySeconds) == 30)
  }

  @Test func `the manual has the tables of time rates`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../../docs/onside.md")
    let manual = try String(contentsOf: root, encoding: .utf8)
    for published in PublishedRate.all {
      let lengths = published.periods + [published.weeklyGrace, published.grace, published.retry]
      // Rates that have one length for every period are in a shorter table.
      let isFixed = Set(lengths.dropLast()).count == 1
      let shown = isFixed ? [published.grace, published.retry] : lengths
      let row = "| \(published.rate.rawValue) | `\(published.rate)` | \(shown.map(words).joined(separator: " | ")) |"
      #expect(manual.contains(row))
    }
    #expect(manual.contains("| a year | 6 d | 16 d | 60 d |"))
  }

  /// A length as the manual has it: `1 h 30 min`.
  private func words(_ seconds: Double) -> String {
    var rest = Int(seconds)
    var parts: [String] = []
    for (unit, name) in [(3600, "h"), (60, "min"), (1, "s")] where rest >= unit {
      parts.append("\(rest / unit) \(name)")
      rest %= unit
    }
    return parts.joined(separator: " ")
  }
}
