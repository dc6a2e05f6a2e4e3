/// Documents that are served before their session runs: it is launched when its first page connects.
extension SessionRegistry {
  /// Expects the page of a document whose session does not run yet.
  package func servedEarly(_ document: ServedDocument) {
    let id = document.sessionID
    let arrivals = earlyArrivals[id] ?? DocumentArrivals()
    earlyArrivals[id] = arrivals
    arrivals.onEmpty = { [weak self] in self?.earlyArrivals[id] = nil }
    arrivals.served(document)
  }

  /// Hands what a session expects over to it, since it runs now.
  func handOverEarlyDocuments(to session: Session) {
    guard let arrivals = earlyArrivals.removeValue(forKey: session.id) else { return }
    arrivals.onEmpty = nil
    session.arrivals = arrivals
  }

  /// The session whose cookie has this value, if it is running, or if the page of a document that was just served launches it.
  package func arriving(cookieValue: String) async -> Session? {
    if let session = running(cookieValue: cookieValue) { return session }
    await earlyArrivals[SessionKey(cookieValue: cookieValue).id]?.settled()
    return running(cookieValue: cookieValue)
  }
}
