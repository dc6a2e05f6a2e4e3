import HTTP1
package import HTTPTypes

/// Header fields that the options add to requests or responses (`--request-header`, `--response-header`). A field replaces all fields with
/// its name. A field without a value only removes them.
public struct FieldChanges: Sendable {
  private var fields: [HTTPField] = []

  /// Changes nothing.
  public init() {}

  /// The fields that nobody may change: the framing of the message, and fields that the server itself writes.
  private static let fixed = [
    "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "host",
    "content-encoding", "via",
  ]

  /// Reads lines, such as `X-Frame-Options: DENY`.
  ///
  /// - Throws: ``SiteError/fieldInvalid(_:reason:)``.
  public init(_ lines: [String], option: String) throws(SiteError) {
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
        // The error leaves out the text, which may be a secret.
        throw .fieldInvalid(
          option, reason: "it must be a name, a colon and a value, such as \"Cache-Control: no-store\"")
      }
      guard !Self.fixed.contains(name.canonicalName) else {
        let hint = name == .hostField ? ". --proxy-host sets it" : ""
        throw .fieldInvalid(option, reason: "\(name.rawName) cannot be changed\(hint)")
      }
      let value = parts[1].trimmingPrefix(while: \.isWhitespace)
      guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
        throw .fieldInvalid(option, reason: "the value of \(name.rawName) must be ASCII without control characters")
      }
      fields.append(HTTPField(name: name, value: String(value)))
    }
  }

  /// The fields with the changes.
  func applied(to original: [HTTPField]) -> [HTTPField] {
    if fields.isEmpty { return original }
    return original.filter { field in !fields.contains { $0.name == field.name } } + fields.filter { !$0.value.isEmpty }
  }

  /// Makes the changes.
  package func apply(to original: inout HTTPFields) {
    if !fields.isEmpty { original = HTTPFields(inOrder: applied(to: Array(original))) }
  }
}
