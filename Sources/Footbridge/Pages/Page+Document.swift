import Essentials

/// What is known of the page's document.
extension Page {
  /// The document's URL as it would be in production, as the server served it; nil when the server has not served it.
  var siteURL: URL? { document?.siteURL(siteOrigin: session.options.wrappedValue.siteOrigin) }

  /// Why the document is not known to be that of a tab; nil for a main frame.
  var reasonAgainstMainFrame: String? { PageTicket.reasonAgainstMainFrame(self) }
}
