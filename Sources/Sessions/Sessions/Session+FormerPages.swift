import BridgeRuntime

/// The pages of an earlier run of the server. They may come back.
extension Session {
  /// Waits for pages of an earlier run of the server, as long as for a page that has lost its socket.
  func expect(_ records: [String: PageRecord]) {
    if records.isEmpty { return }
    sessionPages.expect(records)
    Task { [weak self] in
      try? await Task.sleep(for: Self.reconnectionTime)
      self?.forgetAbsentPages()
    }
  }

  /// The first page opens. From now on, the session has news for the pages that are still away, and queues it.
  func expectFormerPages() {
    for (shimID, record) in sessionPages.takeFormerRecords() {
      let page = makePage(shimID: shimID, record: record)
      for bridge in page.bridges { bridge.expect(page) }
      sessionPages.addAbsent(page, shimID: shimID)
    }
  }

  /// Gives up the pages that have not come back.
  func forgetAbsentPages() {
    for (shimID, _) in sessionPages.takeFormerRecords() { state.ended(pageID: shimID) }
    for (shimID, page) in sessionPages.takeAllAbsent() {
      for bridge in page.bridges { bridge.close(page) }
      page.end(.normalClosure, reason: "The page did not come back.")
      state.ended(pageID: shimID)
    }
  }
}
