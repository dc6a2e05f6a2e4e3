import BridgeRuntime

/// What pages send as they leave, beside their sockets.
extension Session {
  /// How long a goodbye waits for the page's socket to close, and for requests that were sent before it.
  static let goodbyePatience = Duration.seconds(5)

  /// A page leaves. `body` is the request of this number of all that it has sent as it left, `first` that of the first one this time.
  ///
  /// What came on the page's socket is run before it: the browser closes the socket now, and the close comes after everything else. The
  /// page ends with that, as with the close alone. What native was asked for goes on without it, as on a device.
  package func received(
    goodbye body: [UInt8], _ number: Int, first: Int, fromPage shimID: String, _ document: ServedDocument?
  ) {
    if isStopping { return }
    let page = sessionPages.open(shimID: shimID) ?? takeIn(shimID, PageDocument(document), isLeaving: true)
    page.goodbyes.arrived(number, first: first, body)
    if page.connection == nil || page.goodbyes.isFull {
      runGoodbyes(of: page, waitsForMissing: !page.goodbyes.isFull)
    }
    if page.goodbyes.isWaiting { waitForGoodbyes(of: shimID) }
  }

  /// A page could not send all of its messages as it left.
  package func noteLost(_ count: Int, byteLimit: Int) {
    pageLog.note(
      "A page has left, and \(count) of its messages did not reach the host: it can send \(byteLimit) bytes as it leaves."
    )
  }

  /// Runs what a page has sent as it left, then ends the page.
  func runGoodbyes(of page: Page, waitsForMissing: Bool) {
    let bodies = waitsForMissing ? page.goodbyes.takeReady() : page.goodbyes.takeAll()
    page.received(goodbyes: bodies)
    end(page, reason: "The page has left.")
  }

  private func waitForGoodbyes(of shimID: String) {
    sessionPages.waitForGoodbyes(of: shimID, for: Self.goodbyePatience) { [weak self] in
      guard let self else { return }
      if let page = sessionPages.open(shimID: shimID) {
        if page.goodbyes.isWaiting { runGoodbyes(of: page, waitsForMissing: false) }
      } else if sessionPages.isDepartedWaiting(shimID: shimID) {
        runGoodbyes(of: takeIn(shimID, PageDocument(nil), isLeaving: true), waitsForMissing: false)
      }
    }
  }
}
