public import BridgeCore

/// The rules for events (bridge reference, "trackEvent"), as a pure function.
///
/// The reference leaves some points open. Ours: names are matched whole, then truncated. A character is what a reader sees as one. Keys are
/// processed in alphabetical order, since JSON objects have none. A parameter whose value cannot be sent is dropped whole. "Effective"
/// parameters are those that were not dropped.
enum OnsideEventRules {
  static let nameLimit = 40
  static let parameterLimit = 25
  static let stringLimit = 100
  /// The maximum number of remarks for one event: a page may send any number of parameters.
  static let remarkLimit = 100

  /// Applies the rules to an event.
  static func apply(
    name: String,
    parameters: [String: JSONValue],
    trackedAt: Double
  ) -> OnsideTrackedEvent {
    var remarks: [OnsideEventRemark] = []
    func remark(_ action: OnsideEventRemark.Action, _ reason: OnsideEventRemark.Reason, _ key: String? = nil) {
      guard remarks.count < remarkLimit else { return }
      remarks.append(OnsideEventRemark(action: action, reason: reason, key: key))
    }
    if let reason = flaw(of: name) {
      remark(.rejected, reason)
      return OnsideTrackedEvent(name: name, parameters: [:], remarks: remarks, trackedAt: trackedAt)
    }
    if name.count > nameLimit { remark(.truncated, .tooLong) }
    var accepted: [String: JSONValue] = [:]
    for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
      if let reason = flaw(of: key) {
        remark(.dropped, reason, key)
        continue
      }
      guard let (checked, wasCut) = check(value) else {
        remark(.dropped, reason(against: value), key)
        continue
      }
      let short = String(key.prefix(nameLimit))
      if accepted[short] != nil {
        remark(.dropped, .duplicate, key)
        continue
      }
      if accepted.count == parameterLimit {
        remark(.dropped, .tooMany, key)
        continue
      }
      if short != key || wasCut { remark(.truncated, .tooLong, key) }
      accepted[short] = checked
    }
    return OnsideTrackedEvent(
      name: String(name.prefix(nameLimit)), parameters: accepted, remarks: remarks, trackedAt: trackedAt)
  }

  /// What is wrong with a name or key, or nil.
  private static func flaw(of name: String) -> OnsideEventRemark.Reason? {
    if name.hasPrefix("onside_") || name.hasPrefix("$$") { return .reserved }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    let isWellFormed = name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    guard let first = name.utf8.first, isLetter(first), isWellFormed else { return .malformed }
    return nil
  }

  /// The value to send and whether it was truncated; nil if it cannot be sent.
  private static func check(_ value: JSONValue) -> (value: JSONValue, wasCut: Bool)? {
    guard case .array(let elements) = value else { return checkPrimitive(value) }
    var wasCut = false
    var checked: [JSONValue] = []
    for element in elements {
      guard let primitive = checkPrimitive(element) else { return nil }
      wasCut = wasCut || primitive.wasCut
      checked.append(primitive.value)
    }
    return (.array(checked), wasCut)
  }

  /// Why a value cannot be sent.
  private static func reason(against value: JSONValue) -> OnsideEventRemark.Reason {
    guard case .array(let elements) = value else { return value == .null ? .null : .unsupportedValue }
    if elements.contains(where: { $0.arrayValue != nil }) { return .nestedArray }
    return elements.contains(.null) ? .null : .unsupportedValue
  }

  private static func checkPrimitive(_ value: JSONValue) -> (value: JSONValue, wasCut: Bool)? {
    switch value {
    case .string(let string):
      string.count > stringLimit ? (.string(String(string.prefix(stringLimit))), true) : (value, false)
    case .number, .bool: (value, false)
    case .object, .array, .null: nil
    }
  }
}

/// An event that a page tracked, after the rules were applied.
public struct OnsideTrackedEvent: Sendable, Hashable {
  /// The accepted name, perhaps truncated. For a rejected event, the name that the page sent.
  public let name: String
  /// The accepted parameters; empty for a rejected event.
  public let parameters: [String: JSONValue]
  /// What was truncated, dropped or rejected.
  public let remarks: [OnsideEventRemark]
  /// The time, in milliseconds since the Unix epoch.
  public let trackedAt: Double

  /// Whether the event was accepted, perhaps in part.
  public var isAccepted: Bool { !remarks.contains { $0.action == .rejected } }
}

/// What the event rules changed in an event, and why.
public struct OnsideEventRemark: Sendable, Hashable, CustomStringConvertible {
  /// What was done.
  public enum Action: String, Sendable {
    /// The whole event was dropped.
    case rejected
    /// A parameter was dropped.
    case dropped
    /// A name, key or string was truncated.
    case truncated
  }

  /// Why it was done.
  public enum Reason: String, Sendable {
    /// The name or key does not match `^[a-zA-Z][a-zA-Z0-9_]*$`.
    case malformed
    /// The name or key starts with `onside_` or `$$`.
    case reserved
    /// The name or key has more than 40 characters, or the string more than 100.
    case tooLong
    /// The value is an array with arrays in it.
    case nestedArray
    /// The value is `null`, or an array with `null` in it.
    case null
    /// The value is an object, or an array with objects in it.
    case unsupportedValue
    /// The event already has 25 parameters.
    case tooMany
    /// After truncation, the key equals an earlier one.
    case duplicate
  }

  /// What was done.
  public let action: Action
  /// Why.
  public let reason: Reason
  /// The key of the parameter concerned, as the page wrote it; nil for the event's name.
  public let key: String?

  /// The remark in words, such as `truncated "title": tooLong`.
  public var description: String {
    "\(action.rawValue) \(key.map { "\"\($0)\"" } ?? "name"): \(reason.rawValue)"
  }
}
