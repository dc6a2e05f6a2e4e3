import Testing

@testable import HTMLInjection

@Suite struct ContentSecurityPolicyTests {
  private let policy = ContentSecurityPolicy(nonce: "N", isSecure: false, place: "localhost/__footbridge/")

  /// Policies and what is to become of them; `NONCE`, `SCRIPTS`, `SOCKET` and `GOODBYE` stand for what is added.
  @Test(arguments: [
    // Nothing that concerns the shim.
    ("img-src 'none'; frame-ancestors 'self'", "img-src 'none'; frame-ancestors 'self'"),
    ("", ""), ("upgrade-insecure-requests;", ""),
    // Scripts.
    ("script-src 'self'", "script-src 'self' NONCE"),
    ("script-src 'none'", "script-src NONCE"), ("script-src", "script-src NONCE"),
    ("SCRIPT-SRC https://cdn.example", "SCRIPT-SRC https://cdn.example NONCE"),
    ("script-src 'nonce-a' 'strict-dynamic'", "script-src 'nonce-a' 'strict-dynamic' NONCE"),
    ("script-src 'unsafe-inline' 'nonce-a'", "script-src 'unsafe-inline' 'nonce-a' NONCE"),
    ("script-src 'unsafe-inline' 'sha256-x='", "script-src 'unsafe-inline' 'sha256-x=' NONCE"),
    // A nonce would take inline scripts from the page.
    ("script-src 'self' 'unsafe-inline'", "script-src 'self' 'unsafe-inline'"),
    ("script-src * 'unsafe-inline'", "script-src * 'unsafe-inline'"),
    ("script-src 'unsafe-inline'", "script-src 'unsafe-inline' SCRIPTS"),
    ("script-src-elem 'none'; script-src *", "script-src-elem NONCE; script-src *"),
    // Connections.
    ("connect-src 'self'", "connect-src 'self' SOCKET"), ("connect-src 'none'", "connect-src SOCKET GOODBYE"),
    ("connect-src *", "connect-src *"), ("connect-src ws:", "connect-src ws: GOODBYE"),
    ("connect-src http:", "connect-src http: SOCKET"), ("connect-src SCRIPTS", "connect-src SCRIPTS SOCKET"),
    ("connect-src SOCKET", "connect-src SOCKET GOODBYE"),
    ("connect-src SOCKET GOODBYE", "connect-src SOCKET GOODBYE"),
    // Schemes of the app.
    ("img-src app:; media-src https: data: blob:", "img-src app: SCRIPTS; media-src https: data: blob:"),
    ("connect-src 'self' IPC://localhost", "connect-src 'self' IPC://localhost SOCKET SCRIPTS"),
    ("frame-ancestors app:", "frame-ancestors app:"), ("img-src localhost:8080", "img-src localhost:8080"),
    // What only the default says.
    (
      "default-src 'self'; img-src *",
      "default-src 'self'; img-src *; script-src-elem 'self' NONCE; connect-src 'self' SOCKET"
    ),
    ("default-src 'none';", "default-src 'none'; script-src-elem NONCE; connect-src SOCKET GOODBYE"),
    (
      "default-src 'self'; script-src 'self'; connect-src 'self'",
      "default-src 'self'; script-src 'self' NONCE; connect-src 'self' SOCKET"
    ),
    // Of several directives of one name the first counts.
    ("script-src 'self'; script-src 'none'", "script-src 'self' NONCE; script-src 'none'"),
    // Trusted Types.
    ("trusted-types", "trusted-types footbridge"), ("trusted-types 'none'", "trusted-types footbridge"),
    ("trusted-types a 'allow-duplicates'", "trusted-types a 'allow-duplicates' footbridge"),
    ("trusted-types *", "trusted-types *"),
    // Several policies in one field.
    ("script-src a, connect-src b", "script-src a NONCE, connect-src b SOCKET GOODBYE"),
    ("  script-src\ta  ;\tconnect-src b", "  script-src\ta NONCE  ;\tconnect-src b SOCKET GOODBYE"),
  ])
  func `a policy gets the sources that the shim needs, and nothing else changes`(before: String, after: String) {
    func filled(_ text: String) -> String {
      text.replacing("NONCE", with: "'nonce-N'").replacing("SCRIPTS", with: policy.scripts)
        .replacing("SOCKET", with: policy.socket).replacing("GOODBYE", with: "\(policy.goodbye) \(policy.now)")
    }
    #expect(policy.mend(filled(before)) == filled(after))
  }

  @Test func `a mended policy is not changed again`() {
    let once = policy.mend("default-src 'unsafe-inline'; trusted-types 'none'")
    #expect(policy.mend(once) == once)
  }
}

@Suite struct InsecurePageTests {
  @Test(arguments: [(false, ""), (true, "upgrade-insecure-requests")])
  func `upgrade-insecure-requests is removed for a page with http`(isSecure: Bool, expected: String) {
    let policy = ContentSecurityPolicy(nonce: "n", isSecure: isSecure, place: "a/__footbridge/")
    #expect(policy.mend("upgrade-insecure-requests") == expected)
    #expect(policy.mend("img-src *; Upgrade-Insecure-Requests;font-src *").contains("Insecure") == isSecure)
  }
}
