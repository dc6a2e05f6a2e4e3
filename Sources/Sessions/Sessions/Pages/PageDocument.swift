/// A page's document. Without a valid ticket, the page does not count as a main frame, since a script can claim anything.
struct PageDocument {
  /// The state of the document's ticket.
  private enum Ticket {
    /// No ticket: this server has not served the document.
    case missing
    /// The ticket is of another run of the server or of another session, is used by another page, or is too old.
    case invalid
    /// A valid ticket of a document of this session.
    case good
  }

  /// The document as the server served it; nil if the page has no valid ticket.
  let served: ServedDocument?
  /// Whether the page is in a frame of a page of another origin. That page could trick a person into clicking on a sheet.
  var isEmbedded = false
  private let ticket: Ticket
  private var wasWarned = false

  /// Creates the document of a page.
  ///
  /// - Parameters:
  ///   - served: The document as the server served it; nil without a valid ticket.
  ///   - hasInvalidTicket: Whether the page has an invalid ticket.
  init(_ served: ServedDocument?, hasInvalidTicket: Bool = false) {
    self.served = served
    ticket = served != nil ? .good : hasInvalidTicket ? .invalid : .missing
  }

  /// Returns the warning for the page, once; nil if there is none.
  mutating func takeWarning() -> String? {
    if ticket != .invalid || wasWarned { return nil }
    wasWarned = true
    return "The server no longer knows this document: it was restarted without its state (--ephemeral), "
      + "or the browser is now in another session. Bridges that serve only trusted documents do not answer. Reload the page. "
      + "If that does not help, a service worker answers with a document that it has kept: unregister it in the developer tools."
  }

  /// The reason why the page does not count as a main frame; nil for a main frame.
  var reasonAgainstMainFrame: String? {
    guard let served else {
      return ticket == .invalid
        ? "its document has no valid ticket: the server was restarted without its state (--ephemeral), or the browser is now in another session. Reload the page"
        : "its document has no ticket: this server has not served it"
    }
    return switch served.frame {
    case .main: nil
    case .sub, .either, .worker: "it is in a sub-frame"
    case .unknown:
      "its document was not requested by a browser: fetch metadata (Sec-Fetch-Dest) is missing, and so are Upgrade-Insecure-Requests and Accept: text/html"
    }
  }
}
