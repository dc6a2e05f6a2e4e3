import BridgeRuntime

/// The goodbyes of pages: the last messages, which a leaving page sends as HTTP requests, not over its socket.
extension Session {
  /// The maximum time that a goodbye waits for the page's socket to close, and for its earlier requests.
  static let goodbyeTimeout = Duration.seconds(5)

  /// Receives a request of a leaving page.
  ///
  /// Messages on the page's socket are older, so they run first: the browser closes the socket, and the close comes after all messages. The
  /// page then ends, or is suspended if it is in the browser's page cache. Its calls continue without it, as on a device.
  ///
  /// - Parameters:
  ///   - body: The messages in the request.
  ///   - number: The number of the request among all goodbye requests of the page.
  ///   - first: The number of the first request of this departure.
  ///   - isCached: Whether the browser puts the page into its page cache.
  package func received(
    goodbye body: [UInt8], _ number: Int, first: Int, isCached: Bool = false, fromPage shimID: String,
    _ document: ServedDocument?
  ) {
    if isStopping || sessionPages.hasEndedWithApp(shimID: shimID) { return }
    let page =
      sessionPages.open(shimID: shimID) ?? sessionPages.suspended(shimID: shimID)
      ?? takeIn(shimID, PageDocument(document), isLeaving: true)
    if isCached { page.link.cached() }
    let isFull = page.link.goodbyeArrived(number, first: first, body)
    if page.connection == nil || isFull { runGoodbyes(of: page, waitsForMissing: !isFull) }
    if page.link.hasWaitingGoodbye { waitForGoodbyes(of: shimID) }
  }

  /// Logs that a page could not send all its messages when it left.
  package func noteLost(_ count: Int, byteLimit: Int) {
    pageLog.note(
      "A page has left, and \(count) of its messages did not reach the host: a page can send at most \(byteLimit) bytes as it leaves."
    )
  }

  /// Runs the messages of a goodbye, then ends or suspends the page.
  func runGoodbyes(of page: Page, waitsForMissing: Bool) {
    page.runGoodbyes(waitsForMissing: waitsForMissing)
    if !page.link.isCached {
      end(page, reason: "The page has left.")
    } else if page.connection == nil {
      suspend(page)
    } else {
      // The socket that the page had would be closed by now. So the page is back, and this goodbye came late.
      page.link.returned()
    }
  }

  private func waitForGoodbyes(of shimID: String) {
    sessionPages.waitForGoodbyes(of: shimID, for: Self.goodbyeTimeout) { [weak self] in
      guard let self else { return }
      if let page = sessionPages.open(shimID: shimID) ?? sessionPages.suspended(shimID: shimID) {
        if page.link.hasWaitingGoodbye { runGoodbyes(of: page, waitsForMissing: false) }
      } else if sessionPages.isDepartedWaiting(shimID: shimID) {
        runGoodbyes(of: takeIn(shimID, PageDocument(nil), isLeaving: true), waitsForMissing: false)
      }
    }
  }
}
