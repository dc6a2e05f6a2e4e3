import BridgeRuntime

/// The pages that an earlier run of the server has left, which may come back.
extension Session {
  /// Pages of an earlier run of the server may come back, for as long as any that has lost its socket.
  func expect(_ records: [String: PageRecord]) {
    if records.isEmpty { return }
    sessionPages.expect(records)
    Task { [weak self] in
      try? await Task.sleep(for: Self.reconnectionTime)
      self?.forgetAbsentPages()
    }
  }

  /// The first page opens, which sets things going: from now on there is something to be noted for those that are still away.
  func expectFormerPages() {
    for (shimID, record) in sessionPages.takeFormerRecords() {
      let page = makePage(shimID: shimID, record: record)
      for bridge in page.bridges { bridge.expect(page) }
      sessionPages.addAbsent(page, shimID: shimID)
    }
  }

  /// The pages that have not come back by now do not come any more.
  func forgetAbsentPages() {
    for (shimID, _) in sessionPages.takeFormerRecords() { state.ended(pageID: shimID) }
    for (shimID, page) in sessionPages.takeAllAbsent() {
      for bridge in page.bridges { bridge.close(page) }
      page.end(.normalClosure, reason: "The page did not come back.")
      state.ended(pageID: shimID)
    }
  }
}
