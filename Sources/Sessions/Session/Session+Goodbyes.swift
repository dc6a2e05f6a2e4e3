import BridgeRuntime

/// The goodbyes of pages: what they send beside their sockets as they leave.
extension Session {
  /// How long a goodbye waits for the page's socket to close, and for earlier requests of the goodbye.
  static let goodbyePatience = Duration.seconds(5)

  /// A page leaves. `body` is one of the requests that it sends as it leaves; `number` is its number among all of them, `first` that of the
  /// first one of this departure.
  ///
  /// Messages on the page's socket come first: the browser closes the socket now, and the close comes after everything else. The page then
  /// ends. What it has asked of the host continues without it, as on a device.
  package func received(
    goodbye body: [UInt8], _ number: Int, first: Int, fromPage shimID: String, _ document: ServedDocument?
  ) {
    if isStopping { return }
    let page = sessionPages.open(shimID: shimID) ?? takeIn(shimID, PageDocument(document), isLeaving: true)
    let isFull = page.goodbyeArrived(number, first: first, body)
    if page.connection == nil || isFull { runGoodbyes(of: page, waitsForMissing: !isFull) }
    if page.hasWaitingGoodbye { waitForGoodbyes(of: shimID) }
  }

  /// A page could not send all of its messages as it left.
  package func noteLost(_ count: Int, byteLimit: Int) {
    pageLog.note(
      "A page has left, and \(count) of its messages did not reach the host: a page can send at most \(byteLimit) bytes as it leaves."
    )
  }

  /// Runs the messages of a goodbye, then ends the page.
  func runGoodbyes(of page: Page, waitsForMissing: Bool) {
    page.runGoodbyes(waitsForMissing: waitsForMissing)
    end(page, reason: "The page has left.")
  }

  private func waitForGoodbyes(of shimID: String) {
    sessionPages.waitForGoodbyes(of: shimID, for: Self.goodbyePatience) { [weak self] in
      guard let self else { return }
      if let page = sessionPages.open(shimID: shimID) {
        if page.hasWaitingGoodbye { runGoodbyes(of: page, waitsForMissing: false) }
      } else if sessionPages.isDepartedWaiting(shimID: shimID) {
        runGoodbyes(of: takeIn(shimID, PageDocument(nil), isLeaving: true), waitsForMissing: false)
      }
    }
  }
}
