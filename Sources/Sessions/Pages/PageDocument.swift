/// A page's document. Without a good ticket, the page does not count as a main frame: a script can claim anything.
struct PageDocument {
  /// The state of the document's ticket.
  private enum Ticket {
    /// No ticket: this server has not served the document.
    case missing
    /// A ticket of another run of the server or of another session, one that another page uses, or one that is too old.
    case invalid
    /// The ticket of a document of this session.
    case good
  }

  /// The document as the server served it; nil if the page came without a good ticket.
  let served: ServedDocument?
  private let ticket: Ticket
  private var wasWarned = false

  /// Creates the document of a page.
  ///
  /// - Parameters:
  ///   - served: The document as the server served it; nil without a good ticket.
  ///   - hasInvalidTicket: Whether the page has shown a ticket that is not good.
  init(_ served: ServedDocument?, hasInvalidTicket: Bool = false) {
    self.served = served
    ticket = served != nil ? .good : hasInvalidTicket ? .invalid : .missing
  }

  /// The warning to the page, once; nil if there is none.
  mutating func takeWarning() -> String? {
    if ticket != .invalid || wasWarned { return nil }
    wasWarned = true
    return "The server no longer knows this document: it was restarted without its state (--ephemeral), "
      + "or the browser is now in another session. Bridges that serve only trusted documents do not answer. Reload the page. "
      + "If that does not help, a service worker answers with a document that it has kept: unregister it in the developer tools."
  }

  /// Why the document is not known to be that of a tab; nil for a main frame.
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
