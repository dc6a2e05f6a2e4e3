import BridgeRuntime

/// How much there is of everything in all sessions at one moment.
package struct SessionFigures {
  /// How many sessions are running.
  package var sessions = 0
  /// How many pages there are, …
  package var pages = 0
  /// … and how many of them are connected.
  package var connectedPages = 0
  /// How many calls of pages have no answer yet.
  package var openCalls = 0
  /// How many sheets wait for an answer.
  package var openSheets = 0
  /// How many calls, flows and sheets wait at gates.
  package var holds = 0
  /// How many bytes the journals of all sessions hold, about, …
  package var journalBytes = 0
  /// … and how many they may hold.
  package var journalByteLimit = 0
  /// How many sessions have changes that wait for the store, or are being written; nil without a store.
  package var storeQueue: Int?
}

extension SessionRegistry {
  /// How much there is at present.
  package var figures: SessionFigures {
    var figures = SessionFigures()
    for session in sessionByKey.values {
      figures.sessions += 1
      figures.openSheets += session.sheets.open.count
      figures.holds += session.rules.holds.count
      for page in session.pages {
        figures.pages += 1
        figures.connectedPages += page.connection == nil ? 0 : 1
        figures.openCalls += page.openCalls.count
      }
    }
    figures.journalBytes = journalSpace.byteCount
    figures.journalByteLimit = options.limits.journalBytes
    figures.storeQueue = writer?.queueCount
    return figures
  }
}
