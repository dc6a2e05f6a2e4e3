extension HTTPDate {
  /// Parses any of the three forms of RFC 9110, section 5.6.7; nil for anything else. The weekday must be valid but may
  /// be the wrong one.
  /// - Parameters:
  ///   - text: The field's value.
  ///   - now: The present. A two-digit year of the RFC 850 form lies at most 50 years after it.
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
