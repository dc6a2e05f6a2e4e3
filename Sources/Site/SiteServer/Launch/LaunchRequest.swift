import HTTP1
import HTTPTypes

/// What native adds to the request for a document: header fields, and in the first one the cookies that the browser does not have yet.
struct LaunchRequest: Sendable {
  private let changes: [FieldChanges]
  private let cookies: [LaunchCookie]

  /// Takes what the data has for the document at a path.
  init(_ data: LaunchData, isFirst: Bool, path: String) {
    changes = isFirst ? [data.headers, data.firstHeaders] : [data.headers]
    cookies = isFirst ? data.cookies.filter { $0.applies(to: path) } : []
  }

  /// The fields of the request with these. A cookie of the browser stays.
  func applied(to fields: [HTTPField]) -> [HTTPField] {
    var fields = changes.reduce(fields) { $1.applied(to: $0) }
    let present = fields.filter { $0.name == .cookie }.map(\.value)
    let names = Set(
      present.flatMap { $0.split(separator: ";") }.map { pair in
        pair.prefix { $0 != "=" }.trimmingPrefix(while: \.isWhitespace)
      })
    let missing = cookies.filter { !names.contains(Substring($0.name)) }.map { "\($0.name)=\($0.value)" }
    guard !missing.isEmpty else { return fields }
    fields.removeAll { $0.name == .cookie }
    fields.append(HTTPField(name: .cookie, value: (present + missing).joined(separator: "; ")))
    return fields
  }
}
