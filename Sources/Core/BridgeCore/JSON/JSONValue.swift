import Essentials
import class Foundation.NSNull

/// A JSON value of any type (GBGBridge reference, "JSONValue").
///
/// ```swift
/// let value = try JSONValue(parsing: #"{"chipRead": true, "tries": 2}"#)
/// value["tries"]?.numberValue                         // 2.0
/// let text = JSONValue.array([1, "two", nil]).jsonText   // [1,"two",null]
/// ```
///
/// ``init(from:)`` and ``encode(to:)`` are for programs that use Foundation's coders. Messages do not use them.
public enum JSONValue: Codable, Sendable, Hashable {
  /// A string.
  case string(String)
  /// A number. Whole numbers below 2⁵³ are written without a fraction: `1920`, not `1920.0`. JSON has no infinities and no NaN.
  case number(Double)
  /// `true` or `false`.
  case bool(Bool)
  /// An object. The order of its members is not kept.
  case object([String: JSONValue])
  /// An array.
  case array([JSONValue])
  /// `null`.
  case null

  /// The value in Foundation's types: `String`, `Double`, `Bool`, `[String: Any]`, `[Any]` or `NSNull`.
  public var anyValue: Any {
    switch self {
    case .string(let string): string
    case .number(let number): number
    case .bool(let bool): bool
    case .object(let members): members.mapValues(\.anyValue)
    case .array(let elements): elements.map(\.anyValue)
    case .null: NSNull()
    }
  }

  /// Decodes in the reference's order: null, bool, number, string, object, array.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let members = try? container.decode([String: JSONValue].self) {
      self = .object(members)
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }

  /// Encodes the value. Encodes whole numbers in the range of `Int64` as integers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let string): try container.encode(string)
    case .number(let number):
      if let integer = Int64(exactly: number) {
        try container.encode(integer)
      } else {
        try container.encode(number)
      }
    case .bool(let bool): try container.encode(bool)
    case .object(let members): try container.encode(members)
    case .array(let elements): try container.encode(elements)
    case .null: try container.encodeNil()
    }
  }
}

extension JSONValue {
  /// The string, or nil when this is something else.
  public var stringValue: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number, or nil when this is something else.
  public var numberValue: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The boolean, or nil when this is something else.
  public var boolValue: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The members, or nil when this is something else.
  public var objectValue: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements, or nil when this is something else.
  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// Whether JSON can express the value: it has no infinity and no NaN.
  var isEncodable: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .object(let members): members.values.allSatisfy(\.isEncodable)
    case .array(let elements): elements.allSatisfy(\.isEncodable)
    case .string, .bool, .null: true
    }
  }

  /// The member of an object; nil when there is none, or when this is not an object.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string literal.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A boolean literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A floating-point literal.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// An integer literal.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// `nil` stands for `null`.
  public init(nilLiteral: ()) { self = .null }

  /// An array literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A dictionary literal. Of members with the same name, the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSONValue {
  /// Parses one JSON text (RFC 8259) strictly. Of members with the same name, the last one counts.
  ///
  /// - Throws: ``JSONError`` if the bytes are not valid JSON in UTF-8, have more than 512 levels, or have a number beyond the range of `Double`.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes, depthLimit: JSONScanner.depthLimit)
  }

  init(parsing bytes: some Sequence<UInt8>, depthLimit: Int) throws(JSONError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0, depthLimit) }
      ?? Array(bytes).withUnsafeBufferPointer { Self.parse($0, depthLimit) }
    self = try result.get()
  }

  /// Parses one JSON text, as the initializer for bytes does.
  ///
  /// - Throws: ``JSONError`` if the text is not valid JSON, has more than 512 levels, or has a number beyond the range of `Double`.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: text.utf8)
  }

  /// The value as JSON text without white space. Members are sorted by name, so that equal values have equal texts.
  public var jsonText: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ depthLimit: Int) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in
      var scanner = JSONScanner(bytes, depthLimit: depthLimit)
      let value = try scanner.readValue()
      try scanner.expectEnd()
      return value
    }
  }
}
