/// Lets a document use what stands for native parts: the camera of native screens, and the synchronous requests behind a `prompt`. In the
/// app, a page's `Permissions-Policy` does not reach those.
enum PermissionsPolicy {
  private static let needed: Set<String> = ["camera", "sync-xhr"]

  /// The value of a field (a dictionary of RFC 9651) with what is needed.
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
