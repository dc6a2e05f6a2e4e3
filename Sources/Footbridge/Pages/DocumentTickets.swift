import BridgeRuntime

/// The tickets in the script tags of documents that were served, each good for one page.
@BridgeActor
final class DocumentTickets {
  /// How many tickets wait to be redeemed; the oldest make room.
  static let limit = 10_000

  private let random: BridgeRandom
  private var documents: [String: (document: ServedDocument, pageID: String?)] = [:]
  private var order: [String] = []

  init(random: BridgeRandom) {
    self.random = random
  }

  /// A ticket for a document that is about to be served.
  func issue(for document: ServedDocument) -> String {
    let ticket = random.token()
    documents[ticket] = (document, nil)
    order.append(ticket)
    if order.count > 2 * Self.limit {
      for ticket in order.dropLast(Self.limit) { documents[ticket] = nil }
      order.removeFirst(order.count - Self.limit)
    }
    return ticket
  }

  /// The document of a ticket, for one page only, and only for the session that the document was served to.
  ///
  /// A page that was away for long may show its ticket again. A page without an id of its own cannot.
  func redeem(_ ticket: String, for sessionID: String, pageID: String?) -> ServedDocument? {
    guard let (document, owner) = documents[ticket], document.sessionID == sessionID, owner == nil || owner == pageID
    else { return nil }
    documents[ticket] = pageID.map { (document, $0) }
    return document
  }
}
