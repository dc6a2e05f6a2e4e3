import Essentials

extension BridgeInstant {
  /// The last instant of the year 9999: RFC 3339 has four digits for a year.
  package static let lastOfRFC3339 = BridgeInstant(millisecondsSinceEpoch: 253_402_300_799_999)

  /// The instant in RFC 3339's format, in UTC, with milliseconds.
  package var rfc3339: String {
    let seconds = (millisecondsSinceEpoch / 1000).rounded(.down)
    // Foundation rounds fractions of a second down: it would write .122 instead of .123.
    let milliseconds = String(Int(millisecondsSinceEpoch - seconds * 1000))
    let date = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    return date.dropLast() + "." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds + "Z"
  }

  /// Reads a time of RFC 3339, section 5.6, from 1970 to 9999, truncated to milliseconds. Nil for anything else, including leap seconds.
  package init?(rfc3339 text: String) {
    let form =
      /([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,3})[0-9]*)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))/
    guard let match = text.wholeMatch(of: form) else { return nil }
    let (_, day, time, fraction, sign, hour, minute) = match.output
    let local = "\(day)T\(time)Z"
    // Foundation would read 30 February as 2 March.
    guard let date = try? Date(local, strategy: .iso8601), date.formatted(.iso8601) == local,
      let milliseconds = Double(((fraction ?? "") + "000").prefix(3)),
      let hours = Double(hour ?? "0"), let minutes = Double(minute ?? "0"), hours < 24, minutes < 60
    else { return nil }
    let offset = (hours * 60 + minutes) * 60000 * (sign == "-" ? -1 : 1)
    let instant = date.timeIntervalSince1970 * 1000 + milliseconds - offset
    guard 0...Self.lastOfRFC3339.millisecondsSinceEpoch ~= instant else { return nil }
    self.init(millisecondsSinceEpoch: instant)
  }
}
