/// What the script tag of a document shows.
struct AdmittedDocument: Sendable {
  /// By this the bridge knows the document's page.
  let ticket: String
  /// By this the shim's route knows that one of our frames asks: a sandboxed one has an origin that is nobody's, as a foreign page's frames
  /// can have, too. Nil for a document that is no frame's.
  let frameKey: String?
}
