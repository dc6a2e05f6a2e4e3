extension SessionRegistry {
  /// The present figures.
  package var figures: SessionFigures {
    var figures = SessionFigures()
    for session in sessionByKey.values {
      figures.sessions += 1
      figures.openSheets += session.sheets.open.count
      figures.holds += session.rules.holds.count
      for page in session.pages {
        figures.pages += 1
        figures.connectedPages += page.connection == nil ? 0 : 1
        figures.openCalls += page.link.openCallCount
      }
    }
    figures.journalBytes = journalSpace.byteCount
    figures.journalByteLimit = options.limits.journalBytes
    figures.storeQueue = writer?.queueCount
    return figures
  }
}
