import BridgeCore
import BridgeRuntime
import Sessions

/// The form of a value that is new each time: a time, an id, a token. Two values of one form count as the same.
enum ValueForm: Hashable {
  /// A date, or a time of day on one.
  case time
  /// A universally unique identifier (RFC 9562).
  case uuid
  /// A signed token (RFC 7515).
  case signature
  /// Hexadecimal digits, 16 or more.
  case digits
  /// Random letters and digits, 16 or more.
  case token
  /// The value of a member whose name says that it is an id. The pattern has 0 for each number in it.
  case id(pattern: String)

  /// The form of a value; nil if it is a usual value.
  init?(_ value: JSONValue, named name: String) {
    switch value {
    case .string(let text): self.init(text, named: name)
    case .number(let number):
      if Self.isNameOfTime(name), number >= 1e9 {
        self = .time
      } else if Self.isNameOfID(name) {
        self = .id(pattern: "0")
      } else {
        return nil
      }
    default: return nil
    }
  }

  private init?(_ text: String, named name: String) {
    if text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil {
      self = .uuid
    } else if text.wholeMatch(
      of: /[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[-+][0-9]{2}:?[0-9]{2})?)?/)
      != nil
    {
      self = .time
    } else if text.wholeMatch(of: /eyJ[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-]*/) != nil {
      self = .signature
    } else if text.wholeMatch(of: /[0-9a-fA-F]{16,}/) != nil {
      self = .digits
    } else if text.wholeMatch(of: /[A-Za-z0-9_\-+\/]{16,}=*/) != nil, Self.looksRandom(text) {
      self = .token
    } else if Self.isNameOfID(name), !text.isEmpty {
      self = .id(pattern: text.replacing(/[0-9]+/, with: "0"))
    } else {
      return nil
    }
  }

  private static func looksRandom(_ text: String) -> Bool {
    text.contains(where: \.isNumber) && text.contains(where: \.isLowercase) && text.contains(where: \.isUppercase)
  }

  private static func isNameOfID(_ name: String) -> Bool {
    name.lowercased() == "id" || name.hasSuffix("Id") || name.hasSuffix("ID") || name.hasSuffix("_id")
  }

  private static func isNameOfTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["time", "timestamp", "date", "at", "expires", "expiry", "exp", "iat", "nbf"].contains { name.hasSuffix($0) }
  }
}
