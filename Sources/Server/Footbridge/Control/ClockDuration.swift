import BridgeRuntime
import Essentials

/// An ISO 8601 duration by which a clock advances: `P1M`, `PT90S`, `P1DT12H`.
///
/// Years and months follow the calendar: a month after 31 January is the last day of February.
struct ClockDuration: Sendable, Hashable {
  private var months = 0
  private var milliseconds = 0.0

  /// Reads a duration; nil for any other text, and for a number of more than nine digits.
  init?(_ text: String) {
    let form =
      #/
      P (?:(\d{1,9})Y)? (?:(\d{1,9})M)? (?:(\d{1,9})W)? (?:(\d{1,9})D)?
      (?: T (?=\d) (?:(\d{1,9})H)? (?:(\d{1,9})M)? (?:(\d{1,9}(?:\.\d{1,3})?)S)? )?
      /#
    guard text.count > 1, let match = text.wholeMatch(of: form) else { return nil }
    let (_, years, months, weeks, days, hours, minutes, seconds) = match.output
    func number(_ digits: Substring?) -> Double { digits.flatMap { Double($0) } ?? 0 }
    self.months = Int(number(years)) * 12 + Int(number(months))
    let allDays = number(weeks) * 7 + number(days)
    milliseconds = (((allDays * 24 + number(hours)) * 60 + number(minutes)) * 60 + number(seconds)) * 1000
  }

  /// The moment that is this much later; nil if it is after the year 9999.
  func after(_ instant: BridgeInstant) -> BridgeInstant? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    guard months <= 12 * 9999,
      let date = calendar.date(
        byAdding: .month, value: months, to: Date(timeIntervalSince1970: instant.millisecondsSinceEpoch / 1000))
    else { return nil }
    let later = (date.timeIntervalSince1970 * 1000).rounded() + milliseconds.rounded()
    let moment = BridgeInstant(millisecondsSinceEpoch: later)
    return moment <= .lastOfRFC3339 ? moment : nil
  }
}
