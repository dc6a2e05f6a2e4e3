import BridgeCore
package import Essentials

/// The page's document, its socket and its camera.
extension Page {
  /// The document as the server served it; nil if the page has no valid ticket, or has not come back yet.
  package var document: ServedDocument? { shownDocument.served }

  /// The document's URL in production, as the server served it; nil if the server has not served it.
  package var siteURL: URL? { document?.siteURL(siteOrigin: session.options.siteOrigin) }

  /// The reason why the page does not count as a main frame; nil for a main frame.
  package var reasonAgainstMainFrame: String? { shownDocument.reasonAgainstMainFrame }

  /// Whether a socket is open and the page has said hello on it, so that it receives events.
  package var isListening: Bool { connection != nil && presence.hasGreeted }

  /// Whether the page has ever said hello.
  package var hasSaidHello: Bool { presence.isKnown }

  /// Whether the page can come back after it has lost its socket.
  var isResumable: Bool { shimID != nil }

  /// Whether answers can be sent. A page that comes back first says hello, then repeats its calls in order. An answer before the hello would
  /// overtake answers that were given while there was no connection.
  var takesAnswers: Bool { presence.isHeard || !isResumable }

  /// Whether messages to the page must be kept, so that they can be sent again or stored.
  var isFoundAgain: Bool { isResumable || isDurable }

  /// Closes the page's socket without a closing handshake, as if the network had failed. The page comes back and continues its calls. Returns
  /// false if it has no socket.
  @discardableResult
  package func cutSocket() -> Bool {
    connection?.cut()
    return connection != nil
  }

  /// Runs a handler with the browser's camera as the camera that host code finds.
  func handleWithCamera(_ handle: () -> Void) {
    if let camera { CameraDetector.$camera.withValue(camera, operation: handle) } else { handle() }
  }
}
