/// What is known of a page's document. Without a good ticket it counts as nobody's main frame: script can claim anything.
struct PageDocument {
  /// What a page has shown of its document.
  private enum Ticket {
    /// None: this server has not served the document.
    case missing
    /// One of another run of the server or of another session, one that another page has, or one that is too old.
    case invalid
    /// The ticket of a document of this session.
    case good
  }

  /// The document as the server served it; nil when the page came without a good ticket.
  let served: ServedDocument?
  private let ticket: Ticket
  private var wasWarned = false

  /// The document of a page. `hasInvalidTicket` says why it is nil.
  init(_ served: ServedDocument?, hasInvalidTicket: Bool = false) {
    self.served = served
    ticket = served != nil ? .good : hasInvalidTicket ? .invalid : .missing
  }

  /// What the page is to be told, once; nil for nothing.
  mutating func takeWarning() -> String? {
    if ticket != .invalid || wasWarned { return nil }
    wasWarned = true
    return "The server does not know this document any more: it was started again without its state (--ephemeral), "
      + "or the browser is in another session now. Bridges that serve trusted documents only do not answer. Load the page again."
  }

  /// Why the document is not known to be that of a tab; nil for a main frame.
  var reasonAgainstMainFrame: String? {
    guard let served else {
      return ticket == .invalid
        ? "its document has no valid ticket: the server was started again without its state (--ephemeral), or the browser is in another session now. Load the page again"
        : "its document has no ticket: this server has not served it"
    }
    return switch served.frame {
    case .main: nil
    case .sub, .either: "it is in a sub-frame"
    case .unknown:
      "its document was not asked for as browsers do: with fetch metadata (Sec-Fetch-Dest), or with Upgrade-Insecure-Requests and Accept: text/html"
    }
  }
}
