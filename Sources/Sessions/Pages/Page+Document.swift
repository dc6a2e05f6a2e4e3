package import Essentials

/// What is known of the page's document.
extension Page {
  /// The document's URL as it would be in production, as the server served it; nil when the server has not served it.
  package var siteURL: URL? { document?.siteURL(siteOrigin: session.options.siteOrigin) }

  /// Why the document is not known to be that of a tab; nil for a main frame.
  package var reasonAgainstMainFrame: String? {
    guard let document else {
      return ticket == .invalid
        ? "its document has no valid ticket: the server was started again without its state (--ephemeral), or the browser is in another session now. Load the page again"
        : "its document has no ticket: this server has not served it"
    }
    return switch document.frame {
    case .main: nil
    case .sub, .either: "it is in a sub-frame"
    case .unknown:
      "its document was not asked for as browsers do: with fetch metadata (Sec-Fetch-Dest), or with Upgrade-Insecure-Requests and Accept: text/html"
    }
  }
}
