/// What the script tag of a document contains.
struct AdmittedDocument: Sendable {
  /// Identifies the document's page at the bridge.
  let ticket: String
  /// Proves to the shim's route that one of our frames asks. The origin of a sandboxed frame is opaque, like that of a foreign page's
  /// frames. The shim passes the key to frames whose documents are not served.
  let frameKey: String
  /// The id of the session that it was served to.
  let sessionID: String
  /// Whether the document belongs to a frame, or may do so.
  let isFrame: Bool
  /// The version of the shim that the document loads; nil if it is not known yet.
  let shimVersion: String?
}
