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
}
