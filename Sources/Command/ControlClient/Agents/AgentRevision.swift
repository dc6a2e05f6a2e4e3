import BridgeCore

/// The revisions of the Model Context Protocol that the server speaks.
///
/// Up to 2025-11-25, a connection begins with `initialize`. Since 2026-07-28, each request names its revision.
enum AgentRevision {
  /// The revisions with `initialize`, the newest first.
  static let withHandshake = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The revisions that requests name themselves.
  static let named = ["2026-07-28"]
  /// All.
  static var all: [String] { named + withHandshake }

  private static let prefix = "io.modelcontextprotocol/"
  static let subscription = prefix + "subscriptionId"
  static let server = prefix + "serverInfo"
  private static let version = prefix + "protocolVersion"
  private static let capabilities = prefix + "clientCapabilities"

  /// Whether a request names its revision itself.
  static func isNamed(in parameters: [String: JSONValue]) -> Bool {
    parameters["_meta"]?[version] != nil
  }

  /// Checks the metadata of a request: its revision and its client.
  ///
  /// - Throws: ``AgentError``.
  static func check(_ parameters: [String: JSONValue]) throws(AgentError) {
    guard case .string(let requested)? = parameters["_meta"]?[version] else {
      throw AgentError(.invalidParameters, "_meta[\"\(version)\"] must be a text.")
    }
    guard named.contains(requested) else {
      throw AgentError(
        .unsupportedVersion, "The revision \(requested) is not supported for a request that names it.",
        data: ["supported": .array(all.map { .string($0) }), "requested": .string(requested)])
    }
    guard parameters["_meta"]?[capabilities]?.objectValue != nil else {
      throw AgentError(.invalidParameters, "_meta must have \"\(capabilities)\", an object.")
    }
  }

  /// Chooses the revision of a connection for the one that its client asks for.
  static func agreed(on requested: String) -> String {
    withHandshake.contains(requested) ? requested : withHandshake[0]
  }
}
