package import BridgeCore
package import Essentials

/// The page's document and its camera.
extension Page {
  /// The document as the server served it; nil if the page has no valid ticket, or has not come back yet.
  package var document: ServedDocument? { shownDocument.served }

  /// The document's URL in production, as the server served it; nil if the server has not served it.
  package var siteURL: URL? { document?.siteURL(siteOrigin: session.options.siteAddress) }

  /// The reason why the page does not count as a main frame; nil for a main frame.
  package var reasonAgainstMainFrame: String? { shownDocument.reasonAgainstMainFrame }

  /// The result of the browser's search for a camera; nil if it has reported none.
  package var camera: CameraDetector.Result? {
    get { host.camera }
    set { host.camera = newValue }
  }
}
