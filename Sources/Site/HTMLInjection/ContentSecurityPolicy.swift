/// Adds to a page's policy (Content Security Policy Level 3) what the shim needs: a nonce or a source for its scripts,
/// the bridge's addresses, and the name of its Trusted Types policy. Over http, also removes
/// `upgrade-insecure-requests`, which would send the page's requests to a port without TLS.
/// Where a directive allows a scheme of the app, also allows the addresses from which its resources come.
package struct ContentSecurityPolicy {
  /// The `nonce` of the shim's script elements.
  package let nonce: String
  /// Whether the page uses https.
  private let isSecure: Bool
  /// The host and port of the site, and the path prefix of the shim's scripts with its final slash. The addresses are made from it only for
  /// a page with a policy: most have none.
  private let place: String
  /// Whether any page may show this one in a frame: without `frame-ancestors`.
  package var allowsFrames = false
  /// The address of the shim's scripts.
  package var scripts: String { (isSecure ? "https://" : "http://") + place }
  /// The address of the bridge's WebSocket.
  package var socket: String { (isSecure ? "wss://" : "ws://") + place + "bridge" }
  /// The address that gets the last messages of a page when the user leaves it.
  var goodbye: String { scripts + "goodbye" }
  /// The address that answers a page's synchronous requests.
  var now: String { scripts + "now" }

  /// Creates the additions for one page. `place` is the host and port of its site, and the path prefix of the shim's scripts, such as
  /// `localhost/__footbridge/`.
  package init(nonce: String, isSecure: Bool, place: String) {
    (self.nonce, self.isSecure, self.place) = (nonce, isSecure, place)
  }

  private struct Directive {
    var name: String
    var values: [Substring]
    var text: String

    init(_ text: Substring) {
      let tokens = text.split(whereSeparator: Self.isSpace)
      name = tokens.first?.lowercased() ?? ""
      values = Array(tokens.dropFirst())
      self.text = String(text)
    }

    /// ASCII white space. In Swift, CR LF is one character.
    static func isSpace(_ character: Character) -> Bool { " \t\n\r\r\n\u{0C}".contains(character) }

    func allows(_ source: String) -> Bool { values.contains { $0.lowercased() == source } }

    /// Whether it has a source with a scheme that browsers do not load, such as `app:` or `app://localhost`. Resources of the app are
    /// at addresses of ours.
    var namesSchemeOfApp: Bool {
      name.hasSuffix("-src")
        && values.contains { Self.scheme(of: $0).map { !Self.schemesOfBrowsers.contains($0) } ?? false }
    }

    /// The scheme of a source that is one, or that begins with one and `//`, in small letters. Nil for others, such as `localhost:8080`.
    private static func scheme(of source: Substring) -> String? {
      let text = source.utf16
      guard let colon = source.firstIndex(of: ":"), text.first?.isASCIILetter == true,
        text[..<colon].allSatisfy({ $0.isASCIILetter || 0x30...0x39 ~= $0 || "+.-".utf16.contains($0) })
      else { return nil }
      let rest = source[source.index(after: colon)...]
      return rest.isEmpty || rest.hasPrefix("//") ? source[..<colon].lowercased() : nil
    }

    private static let schemesOfBrowsers: Set<String> = [
      "http", "https", "ws", "wss", "data", "blob", "filesystem", "mediastream", "about", "file",
    ]

    /// Appends a value. Replaces `'none'`, which has no effect next to other values.
    mutating func add(_ value: String) {
      if values.isEmpty || values.allSatisfy({ $0.lowercased() == "'none'" }) {
        let leading = text.prefix(while: Self.isSpace)
        text = leading + name + " " + value
      } else {
        let end = text.lastIndex { !Self.isSpace($0) }.map { text.index(after: $0) } ?? text.endIndex
        text.insert(contentsOf: " " + value, at: end)
      }
      values.append(Substring(value))
    }
  }

  /// Adds what is missing to each policy in the value of a `Content-Security-Policy` field.
  package func mend(_ value: String) -> String {
    value.split(separator: ",", omittingEmptySubsequences: false).map { mendPolicy($0) }.joined(separator: ",")
  }

  private func mendPolicy(_ policy: Substring) -> String {
    var directives = policy.split(separator: ";", omittingEmptySubsequences: false).map { Directive($0) }
    if !isSecure { directives.removeAll { $0.name == "upgrade-insecure-requests" } }
    if allowsFrames { directives.removeAll { $0.name == "frame-ancestors" } }
    // Of several directives with one name, the first counts.
    func index(of names: [String]) -> Int? {
      names.lazy.compactMap { name in directives.firstIndex { $0.name == name } }.first
    }
    /// Adds a value to a directive. If only `default-src` applies, adds a directive of the specific name with the same
    /// values.
    func add(_ value: String, at index: Int, insteadOf name: String) {
      guard directives[index].name == "default-src" else { return directives[index].add(value) }
      let inherited = directives[index].values.map { " " + $0 }.joined()
      var directive = Directive(Substring(" " + name + inherited))
      directive.add(value)
      // A policy may end with a semicolon.
      if directives.last?.name == "" { directives.removeLast() }
      directives.append(directive)
    }
    if let script = index(of: ["script-src-elem", "script-src", "default-src"]),
      let source = scriptSource(for: directives[script])
    {
      add(source, at: script, insteadOf: "script-src-elem")
    }
    if let connect = index(of: ["connect-src", "default-src"]) {
      let missing = [socket, goodbye, now].filter { !isAllowed($0, by: directives[connect]) }
      if !missing.isEmpty { add(missing.joined(separator: " "), at: connect, insteadOf: "connect-src") }
    }
    for index in directives.indices where directives[index].namesSchemeOfApp {
      directives[index].add(scripts)
    }
    if let types = index(of: ["trusted-types"]), !directives[types].allows("*"), !directives[types].allows("footbridge")
    {
      directives[types].add("footbridge")
    }
    return directives.map(\.text).joined(separator: ";")
  }

  /// The source that a directive lacks for the shim's scripts; nil when it allows them already.
  ///
  /// A nonce makes browsers ignore `'unsafe-inline'`. If the page depends on that, the scripts are allowed by their
  /// address.
  private func scriptSource(for directive: Directive) -> String? {
    let ignoresInline = directive.values.contains { value in
      let value = value.lowercased()
      return value == "'strict-dynamic'" || value.hasPrefix("'nonce-") || value.hasPrefix("'sha")
    }
    if ignoresInline || !directive.allows("'unsafe-inline'") {
      return directive.values.contains("'nonce-\(nonce)'") ? nil : "'nonce-\(nonce)'"
    }
    return ["'self'", "*", scripts.lowercased()].contains(where: directive.allows) ? nil : scripts
  }

  /// Whether a directive allows connections to one of the bridge's addresses: by `'self'` or the scripts' address if it
  /// is on the site's origin, by `*`, by the address itself, or by its scheme.
  private func isAllowed(_ address: String, by directive: Directive) -> Bool {
    let isSites = address != socket && (directive.allows("'self'") || directive.allows(scripts.lowercased()))
    return isSites || directive.allows("*") || directive.allows(address.lowercased())
      || directive.allows(address.prefix { $0 != "/" }.lowercased())
  }
}
