import BridgeRuntime
import OnsideKit

/// The pages that an earlier run of the server has left, which may come back.
extension Session {
  /// Pages of an earlier run of the server may come back, for as long as any that has lost its socket.
  func expect(_ records: [String: PageRecord]) {
    if records.isEmpty { return }
    formerPages = records
    Task { [weak self] in
      try? await Task.sleep(for: Self.reconnectionTime)
      self?.forgetAbsentPages()
    }
  }

  /// The first page opens, which sets things going: from now on there is something to be noted for those that are still away.
  func expectFormerPages() {
    let records = formerPages.sorted { $0.key < $1.key }
    formerPages = [:]
    for (shimID, record) in records {
      let page = makePage(shimID: shimID, record: record)
      let onsideJS = OnsideJS(onside)
      onsideJS.expect(host: page.host)
      onsidePages[page.id] = onsideJS
      absentPages[shimID] = page
    }
  }

  /// The pages that have not come back by now do not come any more.
  func forgetAbsentPages() {
    for id in formerPages.keys { state.ended(pageID: id) }
    formerPages = [:]
    for (id, page) in absentPages {
      onsidePages.removeValue(forKey: page.id)?.detach()
      page.end(.normalClosure, reason: "The page did not come back.")
      state.ended(pageID: id)
    }
    absentPages = [:]
  }
}
