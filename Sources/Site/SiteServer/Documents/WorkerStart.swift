package import HTTP1
package import Sessions
package import WebServer

/// What the scripts of the site's workers begin with: it loads resources of the app, and hides what the phone lacks. A worker has no document
/// that could load it.
package struct WorkerStart: Sendable {
  private let code: [UInt8]

  /// Nil if workers get no script.
  package init?(_ options: PhoneOptions, _ bridges: BridgeTable? = nil) {
    // The script of bridges takes what it needs of the browser before the phone's hides it.
    code = (bridges.map(ShimScript.worker) ?? []) + (PhoneScript(options)?.worker ?? [])
    if code.isEmpty { return nil }
  }

  /// Whether a request asks for the script of a worker. Scripts cannot set the field that tells it.
  package static func applies(to head: RequestHead) -> Bool {
    guard head.method == .get, let destination = head.fields.value(of: .secFetchDest) else { return false }
    return ["worker", "sharedworker", "serviceworker"].contains(destination)
  }

  /// The script that begins with `script`, with the code in its first line.
  func added(to script: [UInt8]) -> [UInt8] {
    // A directive counts only at the start.
    (Self.isStrict(script) ? Array("\"use strict\";".utf8) : []) + code + script
  }

  /// Whether a script begins with the directive `use strict`, maybe after comments.
  static func isStrict(_ script: [UInt8]) -> Bool {
    var rest = script[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while let first = rest.first {
      if first <= UInt8(ascii: " ") {
        rest = rest.dropFirst()
      } else if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        guard let end = rest.dropFirst(2).firstRange(of: Array("*/".utf8)) else { return false }
        rest = rest[end.upperBound...]
      } else {
        return rest.starts(with: "\"use strict\"".utf8) || rest.starts(with: "'use strict'".utf8)
      }
    }
    return false
  }
}

/// A file of the site that is the script of a worker.
package struct WorkerScriptFile: FileContent {
  package let mediaType: String
  package let entityTag: EntityTag? = nil
  package let lastModified: HTTPDate? = nil
  private let bytes: [UInt8]

  package var byteCount: Int { bytes.count }

  /// Reads the file.
  package nonisolated(nonsending) init(_ file: any FileContent, _ start: WorkerStart) async throws {
    bytes = start.added(to: try await file.read(at: 0, count: file.byteCount))
    mediaType = file.mediaType
  }

  package nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8] {
    Array(bytes.dropFirst(offset).prefix(count))
  }
}
