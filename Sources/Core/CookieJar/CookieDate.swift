import Essentials

/// The lenient algorithm for dates in cookies (RFC 6265bis, section 5.1.1). It looks for a time, a day, a month and a
/// year, in any order.
enum CookieDate {
  /// Parses a date in UTC; nil when a part is missing or there is no such day.
  static func parse(_ text: some Sequence<UInt8>) -> Date? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in Array(text).split(whereSeparator: isDelimiter) {
      if time == nil, let found = parseTime(token) {
        time = found
      } else if day == nil, let found = parseNumber(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = parseMonth(token) {
        month = found
      } else if year == nil, let found = parseNumber(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 }
    if (0...69).contains(year) { year += 2000 }
    guard year >= 1601, (1...days(inMonth: month, of: year)).contains(day) else { return nil }
    guard time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
    let seconds = daysSinceEpoch(year, month, day) * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
    return Date(timeIntervalSince1970: Double(seconds))
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// `hour:minute:second`, one or two digits each. Any text after it must not begin with a digit.
  private static func parseTime(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
    let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].allSatisfy(\.isASCIIDigit), fields[1].allSatisfy(\.isASCIIDigit),
      let hour = parseNumber(fields[0], digits: 1...2), let minute = parseNumber(fields[1], digits: 1...2),
      let second = parseNumber(fields[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  /// A number with this many digits. Any text after it must not begin with a digit.
  private static func parseNumber(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix(while: \.isASCIIDigit)
    guard digits.contains(number.count) else { return nil }
    return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The first three letters of a month's English name, then any text.
  private static func parseMonth(_ token: ArraySlice<UInt8>) -> Int? {
    let names: [StaticString] = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    return names.firstIndex { token.startsIgnoringCase($0) }.map { $0 + 1 }
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar. A year begins in March here, so that the leap day is its last.
  private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shiftedYear = month > 2 ? year : year - 1
    let shiftedMonth = (month + 9) % 12
    let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
    return shiftedYear * 365 + leapDays + (shiftedMonth * 153 + 2) / 5 + day - 1 - 719_468
  }
}
