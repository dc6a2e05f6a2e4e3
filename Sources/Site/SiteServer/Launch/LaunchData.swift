import BridgeCore
import BridgeRuntime
package import BridgeServer
package import Sessions

/// What native sets before a page loads: headers of its request, cookies, stored values, variables, and signed launch data. The `launch`
/// section of the YAML file has it, and the control API for one session.
package struct LaunchData: Sendable {
  /// The header fields of the requests for each document.
  private(set) var headers = FieldChanges()
  /// Further header fields of the request for a session's first document.
  private(set) var firstHeaders = FieldChanges()
  /// The cookies, which are set with the first document.
  private(set) var cookies: [LaunchCookie] = []
  private var localStorage: [String: JSONValue] = [:]
  private var sessionStorage: [String: JSONValue] = [:]
  private var window: [String: JSONValue] = [:]
  private var hash: String?
  private var signed: [SignedLaunch] = []

  /// Nothing.
  package init() {}

  /// Reads the section.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section([
      "headers", "firstHeaders", "cookies", "localStorage", "sessionStorage", "window", "hash", "telegram", "vk",
      "line",
    ])
    headers = try Self.fields(members["headers"])
    firstHeaders = try Self.fields(members["firstHeaders"])
    if let cookies = members["cookies"] {
      self.cookies = try cookies.list { node throws(OptionError) in try LaunchCookie(node) }
      let names = zip(self.cookies.map(\.name), try cookies.elements()).map { ($0, $1) }
      try InputNode.checkUnique("name", names)
    }
    localStorage = try Self.texts(members["localStorage"])
    sessionStorage = try Self.texts(members["sessionStorage"])
    window = try members["window"]?.jsonMembers() ?? [:]
    if let hash = try members["hash"]?.text() { self.hash = hash.hasPrefix("#") ? String(hash.dropFirst()) : hash }
    if let telegram = members["telegram"] { signed.append(.telegram(try TelegramLaunch(telegram))) }
    if let vk = members["vk"] { signed.append(.vk(try VKLaunch(vk))) }
    if let line = members["line"] { signed.append(.line(try LINELaunch(line))) }
  }

  private static func fields(_ node: InputNode?) throws(OptionError) -> FieldChanges {
    guard let node else { return FieldChanges() }
    let lines = try node.members().map { name, value throws(OptionError) in "\(name): \(try value.writtenText())" }
    do throws(SiteError) {
      return try FieldChanges(lines, option: node.place)
    } catch {
      throw OptionError("\(node.place): \(error)")
    }
  }

  private static func texts(_ node: InputNode?) throws(OptionError) -> [String: JSONValue] {
    var texts: [String: JSONValue] = [:]
    for (name, value) in try node?.members() ?? [] { texts[name] = .string(try value.writtenText()) }
    return texts
  }

  /// Whether a script sets something in the page.
  var hasScript: Bool {
    !(localStorage.isEmpty && sessionStorage.isEmpty && window.isEmpty && hash == nil && signed.isEmpty)
  }

  /// What the script in the page sets, signed now.
  func page(at now: BridgeInstant) -> JSONValue {
    let fragments = [hash].compactMap(\.self) + signed.compactMap { $0.fragment(at: now) }
    let queries = signed.compactMap { $0.query(at: now) }
    var members: [String: JSONValue] = [
      "localStorage": .object(localStorage), "sessionStorage": .object(sessionStorage), "window": .object(window),
    ]
    if !fragments.isEmpty { members["hash"] = .string(fragments.joined(separator: "&")) }
    if !queries.isEmpty { members["query"] = .string(queries.joined(separator: "&")) }
    return .object(members)
  }
}
