package import BridgeRuntime
import HTMLInjection
package import HTTP1
package import HTTPTypes

/// Changes the policies in a document's fields so that they allow the shim.
package struct DocumentPolicies {
  /// The nonce of the shim's script element, also for a policy in the document itself, which is read later.
  package let nonce: String
  /// Whether there is a `Content-Security-Policy`, which now allows the shim.
  private(set) var hasMendedSecurity = false
  /// Whether an `Integrity-Policy` was removed.
  private(set) var hasRemovedIntegrity = false
  /// Whether a `Permissions-Policy` was changed.
  private(set) var hasMendedPermissions = false

  /// Changes the fields of a document. Scheme, host and port are those that the browser knows.
  ///
  /// - Parameter isOnStage: Whether the dashboard shows the document, or one around it, in a frame, which the document may forbid.
  package init(
    mending fields: inout HTTPFields, isSecure: Bool, authority: Authority?, isOnStage: Bool = false,
    random: BridgeRandom
  ) {
    nonce = random.token()
    for name in HTTPField.Name.integrityPolicies where fields.contains(name) {
      fields[name] = nil
      hasRemovedIntegrity = true
    }
    if isOnStage { fields[.xFrameOptions] = nil }
    if fields.contains(.permissionsPolicy) { mendPermissions(in: &fields) }
    let names = [.contentSecurityPolicy, .contentSecurityPolicyReportOnly].filter { fields.contains($0) }
    guard !names.isEmpty, let authority else { return }
    var policy = ContentSecurityPolicy(nonce: nonce, isSecure: isSecure, authority: authority)
    policy.allowsFrames = isOnStage
    for index in fields.indices where names.contains(fields[index].name) {
      fields[index] = HTTPField(name: fields[index].name, value: policy.mend(fields[index].value))
    }
    hasMendedSecurity = true
  }

  private mutating func mendPermissions(in fields: inout HTTPFields) {
    for index in fields.indices where fields[index].name == .permissionsPolicy {
      let mended = PermissionsPolicy.mend(fields[index].value)
      if mended == fields[index].value { continue }
      fields[index] = HTTPField(name: .permissionsPolicy, value: mended)
      hasMendedPermissions = true
    }
  }
}

/// Allows the features that simulate native parts: the camera of native screens, and the synchronous requests behind a `prompt`. In the
/// app, a page's `Permissions-Policy` does not apply to native parts.
enum PermissionsPolicy {
  private static let needed: Set<String> = ["camera", "sync-xhr"]

  /// The value of the field (a dictionary of RFC 9651) with these features allowed.
  static func mend(_ value: String) -> String {
    value.split(separator: ",", omittingEmptySubsequences: false).map { mendMember($0) }.joined(separator: ",")
  }

  private static func mendMember(_ member: Substring) -> String {
    let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, needed.contains(parts[0].trimmingPrefix(while: \.isWhitespace).lowercased()),
      parts[1].hasPrefix("("), !parts[1].dropFirst().split(whereSeparator: { " )".contains($0) }).contains("self"),
      !parts[1].contains("*")
    else { return String(member) }
    let rest = parts[1].dropFirst()
    return "\(parts[0])=(self\(rest.hasPrefix(")") ? "" : " ")\(rest)"
  }
}

extension HTTPField.Name {
  /// `X-Frame-Options` (HTML standard): the pages that may show a document in a frame.
  static let xFrameOptions = named("X-Frame-Options")
}
