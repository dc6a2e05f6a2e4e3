import BridgeCore
import BridgeRuntime
import Essentials
import Footbridge

/// Says again what pages have said in a transcript, and notes what native does.
///
/// Messages go out one after the other: each when native has done as much as it did then for the one before, or has had its time.
@BridgeActor
final class TranscriptPlayer {
  private enum Turn {
    case page(Int)
    case message(Int)
  }

  private let bridge: VerifiedBridge
  private let session: InProcessSession
  private let clock: ManualBridgeClock
  private let timeout: Duration
  private let recorded: Transcript
  private var played: Transcript
  private var pages: [Int: PlayedPage] = [:]
  /// The messages without an answer, by document and id.
  private var open: [String: Int] = [:]

  /// The time in which native may still do more than it did then.
  private static let pause = Duration.milliseconds(20)
  private static let lastPause = Duration.milliseconds(200)

  /// Plays a transcript to a bridge of a session. `clock` is the server's: it advances while the player waits for a delayed answer.
  init(
    _ recorded: Transcript, to bridge: VerifiedBridge, in session: InProcessSession, clock: ManualBridgeClock,
    timeout: Duration
  ) {
    self.recorded = recorded
    self.bridge = bridge
    self.session = session
    self.clock = clock
    self.timeout = timeout
    played = recorded.withoutMessages
  }

  /// Plays all messages, and returns what native did.
  ///
  /// - Throws: `FootbridgeError` if the server has stopped.
  func play() async throws -> Transcript {
    var order: [(line: Int, turn: Turn)] = []
    for (number, document) in recorded.documents.enumerated() where !document.steps.isEmpty {
      order.append((document.line, .page(number)))
    }
    for (index, exchange) in recorded.exchanges.enumerated() { order.append((exchange.line, .message(index))) }
    for (_, turn) in order.sorted(by: { $0.line < $1.line }) {
      switch turn {
      case .page(let number): try await openPage(number)
      case .message(let index):
        let exchange = recorded.exchanges[index]
        if pages[exchange.document] == nil { try await openPage(exchange.document) }
        send(exchange)
        await wait { [self] in played.exchanges[index].steps.count >= exchange.steps.count }
      }
    }
    await sleep(Self.lastPause)
    for page in pages.values { page.close() }
    return played
  }

  private func openPage(_ number: Int) async throws {
    // A recorder's transcript has one document after the other.
    if !recorded.isJournal {
      for (number, page) in pages {
        page.close()
        pages[number] = nil
      }
    }
    let document = recorded.documents[number]
    let page = try PlayedPage(in: session, url: document.url)
    page.onIncoming = { [weak self] in self?.take($0, of: number) }
    pages[number] = page
    await wait { [self] in played.documents[number].steps.count >= document.steps.count }
  }

  private func send(_ exchange: Transcript.Exchange) {
    guard let page = pages[exchange.document] else { return }
    let index = played.begin(again: exchange)
    switch bridge.outgoing(exchange, number: index + 1) {
    case .request(let action, let data):
      open["\(exchange.document) \(page.request(action, data))"] = index
    case .envelope(let envelope, let correlationId):
      open["\(exchange.document) \(correlationId)"] = index
      page.send(envelope)
    }
  }

  private func take(_ incoming: PlayedPage.Incoming, of document: Int) {
    switch incoming {
    case .answer(let id, let payload):
      guard let index = open.removeValue(forKey: "\(document) \(id)") else { return }
      if bridge.deliversAnswers(of: recorded) {
        if let step = bridge.step("", payload) { played.add(step, in: document) }
      } else {
        played.end(index, bridge.step(answering: recorded.exchanges[index], payload))
      }
    case .message(let action, let message):
      if let step = bridge.step(action, message) { played.add(step, in: document) }
    }
  }

  /// Waits until native has done what it did then, and a little longer for what nobody expects.
  private func wait(until isDone: () -> Bool) async {
    let start = ContinuousClock.now
    var step = Duration.milliseconds(10)
    while !isDone(), ContinuousClock.now - start < timeout {
      await sleep(.milliseconds(5))
      if isDone() { break }
      // An answer may have a delay, of up to an hour.
      clock.advance(by: step)
      step = min(step * 2, .seconds(60))
    }
    await sleep(Self.pause)
  }

  private func sleep(_ time: Duration) async { try? await Task.sleep(for: time) }
}
