/// Why a setting was refused.
public enum OnsideSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The call has no error of this name.
  case unknownErrorCase(String, call: OnsideCall)

  /// A sentence for people, with what would be right.
  public var description: String {
    switch self {
    case .unknownErrorCase(let name, let call):
      "\(call.rawValue) has no error \"\(name)\"; it has: \(call.errorCases.joined(separator: ", "))."
    }
  }
}
