/// What the script tag of a document shows.
struct AdmittedDocument: Sendable {
  /// By this the bridge knows the document's page.
  let ticket: String
  /// By this the shim's route knows that one of our frames asks: a sandboxed one has an origin that is nobody's, as a foreign page's frames
  /// can have, too. The shim puts it into frames whose documents are not served.
  let frameKey: String
  /// The id of the session that it was served to.
  let sessionID: String
  /// Whether the document is a frame's, or may be one's.
  let isFrame: Bool
  /// Which shim the document loads; nil when that is not known yet.
  let shimVersion: String?
}
