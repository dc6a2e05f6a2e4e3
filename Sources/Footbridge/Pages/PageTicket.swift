import BridgeRuntime

/// What a page has shown of its document. Without a good ticket it counts as nobody's main frame: script can claim anything.
enum PageTicket {
  /// None: this server has not served the document.
  case missing
  /// One of another run of the server or of another session, one that another page has, or one that is too old.
  case invalid
  /// The ticket of a document of this session.
  case good

  /// What a page is told whose ticket is invalid.
  static let invalidWarning =
    "The server does not know this document any more: it was started again without its state (--ephemeral), "
    + "or the browser is in another session now. todayWebViewBridge answers undefined. Load the page again."

  /// Why a page is no main frame, for the log; nil for a main frame.
  @BridgeActor
  static func reasonAgainstMainFrame(_ page: Page) -> String? {
    guard let document = page.document else {
      return page.ticket == .invalid
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
