/// An HTTP date, in whole seconds (RFC 9110, section 5.6.7).
public struct HTTPDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00Z without leap seconds, from year 0 to year 9999.
  public let secondsSinceEpoch: Int

  private static let secondsOfFourDigitYears = -62_167_219_200...253_402_300_799
  static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let longDayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Creates a date from seconds since the Unix epoch, clamped to the years 0 to 9999.
  public init(secondsSinceEpoch: Int) {
    let range = Self.secondsOfFourDigitYears
    self.secondsSinceEpoch = min(max(secondsSinceEpoch, range.lowerBound), range.upperBound)
  }

  /// Creates a date from its parts in UTC; nil when there is no such date. A leap second becomes the first second of
  /// the next minute.
  init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    // A year begins in March here, so that the leap day is its last. A cycle of 400 years has 146,097 days.
    let shiftedYear = month > 2 ? year : year - 1
    let cycle = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfCycle = shiftedYear - cycle * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    let days = cycle * 146_097 + dayOfCycle - 719_468
    self.init(secondsSinceEpoch: ((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// The year, month and day in UTC.
  var civil: (year: Int, month: Int, day: Int) {
    let shiftedDays = daysSinceEpoch + 719_468
    let cycle = (shiftedDays >= 0 ? shiftedDays : shiftedDays - 146_096) / 146_097
    let dayOfCycle = shiftedDays - cycle * 146_097
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (cycle * 400 + yearOfCycle + (month > 2 ? 0 : 1), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The date as IMF-fixdate, the only form to send: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public var description: String {
    let (year, month, day) = civil
    let second = secondsSinceEpoch - daysSinceEpoch * 86_400
    let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }.joined(separator: ":")
    // The first of January 1970 was a Thursday.
    let weekday = ((daysSinceEpoch + 4) % 7 + 7) % 7
    let date = "\(Self.padded(day, to: 2)) \(Self.monthNames[month - 1]) \(Self.padded(year, to: 4))"
    return "\(Self.dayNames[weekday]), \(date) \(time) GMT"
  }

  /// Whether `lhs` is earlier than `rhs`.
  public static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool { lhs.secondsSinceEpoch < rhs.secondsSinceEpoch }

  private var daysSinceEpoch: Int {
    (secondsSinceEpoch >= 0 ? secondsSinceEpoch : secondsSinceEpoch - 86_399) / 86_400
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension HTTPDate {
  /// Parses any of the three formats of RFC 9110, section 5.6.7; nil for anything else. The weekday must be a weekday,
  /// but need not match the date.
  /// - Parameters:
  ///   - text: The field's value.
  ///   - now: The current time. It decides the century of a two-digit year (RFC 850 format): the current century, or
  ///     the previous one if the year would be more than 50 years ahead.
  public init?(_ text: String, now: HTTPDate) {
    var reader = Reader(rest: Array(text.utf8)[...])
    let date =
      switch text.utf8.firstIndex(of: .comma).map({ text.utf8.distance(from: text.startIndex, to: $0) }) {
      case .none: reader.ascTime()
      case .some(3): reader.fixedDate()
      case .some: reader.rfc850Date(now: now)
      }
    guard let date, reader.rest.isEmpty else { return nil }
    self = date
  }

  /// Consumes the text from its front.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    mutating func fixedDate() -> HTTPDate? {
      guard name(of: HTTPDate.dayNames) != nil, literal(", "), let day = number(digits: 2), literal(" "),
        let month = name(of: HTTPDate.monthNames), literal(" "), let year = number(digits: 4), literal(" "),
        let time = time(), literal(" GMT")
      else { return nil }
      return HTTPDate(year: year, month: month, day: day, time: time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    mutating func rfc850Date(now: HTTPDate) -> HTTPDate? {
      guard name(of: HTTPDate.longDayNames) != nil, literal(", "), let day = number(digits: 2), literal("-"),
        let month = name(of: HTTPDate.monthNames), literal("-"), let shortYear = number(digits: 2), literal(" "),
        let time = time(), literal(" GMT")
      else { return nil }
      let presentYear = now.civil.year
      let year = presentYear - presentYear % 100 + shortYear
      return HTTPDate(year: year > presentYear + 50 ? year - 100 : year, month: month, day: day, time: time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    mutating func ascTime() -> HTTPDate? {
      guard name(of: HTTPDate.dayNames) != nil, literal(" "), let month = name(of: HTTPDate.monthNames), literal(" "),
        let day = literal(" ") ? number(digits: 1) : number(digits: 2), literal(" "), let time = time(), literal(" "),
        let year = number(digits: 4)
      else { return nil }
      return HTTPDate(year: year, month: month, day: day, time: time)
    }

    private mutating func time() -> (hour: Int, minute: Int, second: Int)? {
      guard let hour = number(digits: 2), literal(":"), let minute = number(digits: 2), literal(":"),
        let second = number(digits: 2)
      else { return nil }
      return (hour, minute, second)
    }

    private mutating func literal(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    /// The position of a name in the list, counted from 1.
    private mutating func name(of names: [String]) -> Int? {
      guard let index = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
      rest = rest.dropFirst(names[index].utf8.count)
      return index + 1
    }

    private mutating func number(digits: Int) -> Int? {
      let bytes = rest.prefix(digits)
      guard bytes.count == digits, bytes.allSatisfy(\.isDigit) else { return nil }
      rest = rest.dropFirst(digits)
      return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
  }

  private init?(year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)) {
    self.init(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
  }
}
