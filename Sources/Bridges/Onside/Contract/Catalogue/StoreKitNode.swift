import BridgeCore
public import Essentials

/// A place in a `.storekit` document: its value, if any, and its path, for errors.
struct StoreKitNode {
  let value: JSONValue?
  let path: String

  /// Nil if there is no value, or if it is `null`, which the format uses for "none".
  var present: StoreKitNode? {
    switch value {
    case nil, .null: nil
    default: self
    }
  }

  func member(_ name: String) throws(StoreKitConfigurationError) -> StoreKitNode {
    guard let value else { throw mismatch("an object") }
    guard case .object(let members) = value else { throw mismatch("an object") }
    return StoreKitNode(value: members[name], path: "\(path).\(name)")
  }

  /// The elements of an array; empty if there is no value.
  func elements() throws(StoreKitConfigurationError) -> [StoreKitNode] {
    guard let value = present?.value else { return [] }
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { StoreKitNode(value: $1, path: "\(path)[\($0)]") }
  }

  func string() throws(StoreKitConfigurationError) -> String {
    guard let string = value?.stringValue else { throw mismatch("a string") }
    return string
  }

  func nonEmptyString() throws(StoreKitConfigurationError) -> String {
    let string = try string()
    guard !string.isEmpty else { throw mismatch("a string that is not empty") }
    return string
  }

  func optionalString() throws(StoreKitConfigurationError) -> String? { try present?.string() }

  func optionalBool() throws(StoreKitConfigurationError) -> Bool? {
    guard let value = present?.value else { return nil }
    guard let bool = value.boolValue else { throw mismatch("true or false") }
    return bool
  }

  func optionalInteger() throws(StoreKitConfigurationError) -> Int? {
    guard let value = present?.value else { return nil }
    guard let number = value.numberValue, let integer = Int(exactly: number) else { throw mismatch("a whole number") }
    return integer
  }

  func price() throws(StoreKitConfigurationError) -> Decimal {
    let expected = "a price: a string of digits with a full stop as the decimal separator, such as \"0.99\""
    guard let text = value?.stringValue else { throw mismatch(expected) }
    guard let price = Decimal(priceText: text) else { throw mismatch(expected) }
    return price
  }

  func period() throws(StoreKitConfigurationError) -> OnsidePeriod {
    guard let text = value?.stringValue, let period = OnsidePeriod(iso8601: text) else {
      throw mismatch("a period such as \"P1W\", \"P1M\" or \"P1Y\"")
    }
    return period
  }

  /// The error for a value that is not what was expected.
  func mismatch(_ expected: String) -> StoreKitConfigurationError {
    StoreKitConfigurationError(path: path, expected: expected, found: found)
  }

  private var found: String {
    switch value {
    case nil: "nothing"
    case .string(let string)?: string.count <= 60 ? "\"\(string)\"" : "a string of \(string.count) characters"
    case .number(let number)?: "the number \(number)"
    case .bool(let bool)?: "\(bool)"
    case .object?: "an object"
    case .array?: "an array"
    case .null?: "null"
    }
  }
}

extension Decimal {
  /// Reads a price: up to twelve digits, optionally a full stop and up to six more. No sign, exponent, grouping or currency.
  public init?(priceText text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, (1...12).contains(parts[0].count), parts.count == 1 || (1...6).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    self.init(string: text)
  }
}
