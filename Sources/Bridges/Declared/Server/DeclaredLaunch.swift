import BridgeCore

/// The native app's values for the first document of a tab. They are set before its scripts run.
struct DeclaredLaunch: Sendable {
  /// The fragment of its address, without the `#`.
  var hash: String?
  /// Values for `localStorage`. They do not replace values of the page.
  var localStorage: [String: String] = [:]
  /// Values for `sessionStorage`. They do not replace values of the page.
  var sessionStorage: [String: String] = [:]

  /// The members for the shim; nil if there are none.
  var json: JSONValue? {
    var members: [String: JSONValue] = [:]
    members["hash"] = hash.map { .string($0) }
    if !localStorage.isEmpty { members["localStorage"] = .object(localStorage.mapValues { .string($0) }) }
    if !sessionStorage.isEmpty { members["sessionStorage"] = .object(sessionStorage.mapValues { .string($0) }) }
    return members.isEmpty ? nil : .object(members)
  }
}
