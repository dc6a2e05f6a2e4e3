import BridgeCore
package import Essentials

/// The page's document, its socket and its camera.
extension Page {
  /// The document as the server served it; nil if the page came without a good ticket, or has not come back yet.
  package var document: ServedDocument? { shownDocument.served }

  /// The document's URL in production, as the server served it; nil if the server has not served it.
  package var siteURL: URL? { document?.siteURL(siteOrigin: session.options.siteOrigin) }

  /// Why the document is not known to be that of a tab; nil for a main frame.
  package var reasonAgainstMainFrame: String? { shownDocument.reasonAgainstMainFrame }

  /// Whether a socket is open and the page has said hello on it, so that it receives events.
  package var isListening: Bool { connection != nil && presence.hasGreeted }

  /// Whether the page has ever said hello.
  package var hasSaidHello: Bool { presence.isKnown }

  /// Whether the page can come back after it has lost its socket.
  var isResumable: Bool { shimID != nil }

  /// Whether answers can go out. A page that comes back repeats its calls after its hello, in order. An answer before that would overtake
  /// those that were given while there was no connection.
  var takesAnswers: Bool { presence.isHeard || !isResumable }

  /// Whether messages to the page must be kept, to send or to store them again.
  var isFoundAgain: Bool { isResumable || isDurable }

  /// Closes the page's socket without a closing handshake, like a bad line. The page comes back and finds its calls where they were.
  /// Returns false if it has no socket.
  @discardableResult
  package func cutSocket() -> Bool {
    connection?.cut()
    return connection != nil
  }

  /// Runs a handler. Host code that looks for a camera finds the browser's.
  func handleWithCamera(_ handle: () -> Void) {
    if let camera { CameraDetector.$camera.withValue(camera, operation: handle) } else { handle() }
  }
}
