/// What the shim needs of a page's policy (Content Security Policy Level 3), added to it: a nonce or an address for the scripts, the bridge's
/// addresses, and the name of the Trusted Types policy that loads the sheets. Nothing is ever taken out.
package struct ContentSecurityPolicy {
  /// What stands in the script elements' `nonce`; nil when they have none, as when the policy comes behind them: their address is then added.
  package let nonce: String?
  /// The addresses of the shim's scripts: the site's own origin and the path that they begin with.
  package let scripts: String
  /// The address of the bridge's socket.
  package let socket: String
  /// Where the page sends what is left to be sent when it leaves.
  var goodbye: String { scripts + "goodbye" }

  /// Creates the policy of one page.
  package init(nonce: String?, scripts: String, socket: String) {
    (self.nonce, self.scripts, self.socket) = (nonce, scripts, socket)
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

    static func isSpace(_ character: Character) -> Bool { " \t\n\r\r\n\u{0C}".contains(character) }

    func allows(_ source: String) -> Bool { values.contains { $0.lowercased() == source } }

    /// Adds a value at the end. `'none'` has no meaning beside others.
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

  /// The value of a `Content-Security-Policy` field, which may hold several policies, with what is missing added to each.
  package func mend(_ value: String) -> String {
    value.split(separator: ",", omittingEmptySubsequences: false).map { mendPolicy($0) }.joined(separator: ",")
  }

  private func mendPolicy(_ policy: Substring) -> String {
    var directives = policy.split(separator: ";", omittingEmptySubsequences: false).map { Directive($0) }
    // Of several directives of one name the first counts.
    func index(of names: [String]) -> Int? {
      names.lazy.compactMap { name in directives.firstIndex { $0.name == name } }.first
    }
    /// Adds to a directive; what only the default says is said anew for the kind in question alone.
    func add(_ value: String, at index: Int, insteadOf name: String) {
      guard directives[index].name == "default-src" else { return directives[index].add(value) }
      let inherited = directives[index].values.map { " " + $0 }.joined()
      var directive = Directive(Substring(" " + name + inherited))
      directive.add(value)
      // A policy may end in a semicolon.
      if directives.last?.name == "" { directives.removeLast() }
      directives.append(directive)
    }
    if let script = index(of: ["script-src-elem", "script-src", "default-src"]),
      let source = scriptSource(for: directives[script])
    {
      add(source, at: script, insteadOf: "script-src-elem")
    }
    if let connect = index(of: ["connect-src", "default-src"]) {
      let missing = [socket, goodbye].filter { !isAllowed($0, by: directives[connect]) }
      if !missing.isEmpty { add(missing.joined(separator: " "), at: connect, insteadOf: "connect-src") }
    }
    if let types = index(of: ["trusted-types"]), !directives[types].allows("*"), !directives[types].allows("footbridge")
    {
      directives[types].add("footbridge")
    }
    return directives.map(\.text).joined(separator: ";")
  }

  /// What a directive needs for the shim's scripts; nil when they are allowed as it is.
  ///
  /// A nonce makes browsers ignore `'unsafe-inline'`. Where the page lives on that, the scripts are allowed by their address.
  private func scriptSource(for directive: Directive) -> String? {
    let ignoresInline = directive.values.contains { value in
      let value = value.lowercased()
      return value == "'strict-dynamic'" || value.hasPrefix("'nonce-") || value.hasPrefix("'sha")
    }
    if let nonce, ignoresInline || !directive.allows("'unsafe-inline'") {
      return directive.values.contains("'nonce-\(nonce)'") ? nil : "'nonce-\(nonce)'"
    }
    return ["'self'", "*", scripts.lowercased()].contains(where: directive.allows) ? nil : scripts
  }

  /// Whether a directive lets the page connect to an address of ours.
  private func isAllowed(_ address: String, by directive: Directive) -> Bool {
    let isSites = address == goodbye && (directive.allows("'self'") || directive.allows(scripts.lowercased()))
    return isSites || directive.allows("*") || directive.allows(address.lowercased())
      || directive.allows(address.prefix { $0 != "/" }.lowercased())
  }
}
