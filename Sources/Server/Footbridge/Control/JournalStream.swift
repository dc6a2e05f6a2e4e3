import BridgeCore
import BridgeRuntime
import HTTPTypes
import Sessions
import WebServer

/// Streams a journal as server-sent events (HTML standard, "Server-sent events"): one event `journal` for each entry, whose id is the
/// cursor. Sends a comment after 15 seconds without an entry.
@BridgeActor
struct JournalStream {
  /// The longest silence, in real time.
  private static let heartbeat = Duration.seconds(15)

  private let journal: Journal
  private let cursor: Int

  init(_ journal: Journal, after cursor: Int) {
    self.journal = journal
    self.cursor = cursor
  }

  /// Sends the entries after the cursor, and new ones until the client goes or the session is deleted.
  func run(_ exchange: HTTPExchange) async {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let observer = journal.onAppend { entry in
      if entry == nil { signal.finish() } else { signal.yield() }
    }
    exchange.onDisconnect = { signal.finish() }
    exchange.waitsForEvents = true
    exchange.begin(.ok, fields: [.contentType: "text/event-stream", .cacheControl: "no-store"])
    // The response to HEAD has no body, so nothing would ever end it.
    if exchange.head.method == .head { signal.finish() }
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

  /// Sends the entries after the cursor. Returns false if there was none.
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
