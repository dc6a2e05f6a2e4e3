import BridgeCore
import BridgeRuntime
import HTTPTypes
import WebServer

/// A journal as server-sent events (HTML standard, "Server-sent events"): one event `journal` for each entry, its id the cursor. A comment
/// comes after each quiet quarter of a minute.
@BridgeActor
struct JournalStream {
  /// How long nothing may be sent, in real time.
  private static let heartbeat = Duration.seconds(15)

  private let journal: Journal
  private let cursor: Int

  init(_ journal: Journal, after cursor: Int) {
    self.journal = journal
    self.cursor = cursor
  }

  /// Answers with the entries after the cursor, and with those to come until the client goes or the session is deleted.
  func run(_ exchange: HTTPExchange) async {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let observer = journal.onAppend { entry in
      if entry == nil { signal.finish() } else { signal.yield() }
    }
    exchange.onDisconnect = { signal.finish() }
    exchange.begin(.ok, fields: [.contentType: "text/event-stream", .cacheControl: "no-store"])
    var cursor = cursor
    let beats = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: Self.heartbeat)
        signal.yield()
      }
    }
    do {
      try await exchange.write(Array(": footbridge\n\n".utf8))
      try await send(&cursor, exchange)
      for await _ in signals {
        if try await !send(&cursor, exchange) { try await exchange.write(Array(":\n\n".utf8)) }
      }
      exchange.finish()
    } catch {
      // The client has gone.
    }
    beats.cancel()
    observer.cancel()
  }

  /// Sends what there is after the cursor; false when there was nothing.
  @discardableResult
  private func send(_ cursor: inout Int, _ exchange: HTTPExchange) async throws -> Bool {
    var hasSent = false
    while true {
      let (entries, next, dropped) = journal.entries(after: cursor, limit: 100)
      cursor = next
      if entries.isEmpty, dropped == 0 { return hasSent }
      hasSent = true
      var text = dropped > 0 ? ": \(dropped) entries were dropped\n\n" : ""
      for entry in entries { text += "event: journal\nid: \(entry.cursor)\ndata: \(entry.json.jsonText)\n\n" }
      try await exchange.write(Array(text.utf8))
    }
  }
}
