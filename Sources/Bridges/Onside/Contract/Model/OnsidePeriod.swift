/// The length of a subscription or discount period (bridge reference, "JSPeriod").
public enum OnsidePeriod: Sendable, Hashable {
  /// A number of days.
  case day(Int)
  /// A number of weeks.
  case week(Int)
  /// A number of calendar months.
  case month(Int)
  /// A number of calendar years.
  case year(Int)

  /// Reads an ISO 8601 duration with one unit, such as `P1W`, `P1M`, `P3M`, `P1Y` or `P3D`. Nil for anything else, for a count of zero and
  /// for a count above 9999.
  public init?(iso8601 text: String) {
    let characters = Array(text.utf8)
    guard characters.count >= 3, characters.count <= 6, characters.first == UInt8(ascii: "P"),
      characters[1..<(characters.count - 1)].allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(String(decoding: characters[1..<(characters.count - 1)], as: UTF8.self)), count > 0
    else { return nil }
    switch characters[characters.count - 1] {
    case UInt8(ascii: "D"): self = .day(count)
    case UInt8(ascii: "W"): self = .week(count)
    case UInt8(ascii: "M"): self = .month(count)
    case UInt8(ascii: "Y"): self = .year(count)
    default: return nil
    }
  }

  /// `day`, `week`, `month` or `year`.
  public var unit: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .year: "year"
    }
  }

  /// How many units the period has.
  public var numberOfUnits: Int {
    switch self {
    case .day(let count), .week(let count), .month(let count), .year(let count): count
    }
  }

  /// Whether it is counted in months or years, whose lengths differ.
  var followsCalendar: Bool {
    switch self {
    case .day, .week: false
    case .month, .year: true
    }
  }

  /// This period, so many times in a row; nil for more units than ``init(iso8601:)`` reads.
  func times(_ count: Int) -> OnsidePeriod? {
    let (units, isTooLarge) = numberOfUnits.multipliedReportingOverflow(by: count)
    guard !isTooLarge, (1...9999).contains(units) else { return nil }
    return switch self {
    case .day: .day(units)
    case .week: .week(units)
    case .month: .month(units)
    case .year: .year(units)
    }
  }

  /// The ISO 8601 duration, such as `P1W`.
  public var iso8601: String { "P\(numberOfUnits)\(unit.prefix(1).uppercased())" }
}

extension OnsidePeriod: Codable {
  /// Decodes an ISO 8601 duration.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let period = OnsidePeriod(iso8601: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "An ISO 8601 period such as P1M was expected.")
    }
    self = period
  }

  /// Encodes an ISO 8601 duration.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}
