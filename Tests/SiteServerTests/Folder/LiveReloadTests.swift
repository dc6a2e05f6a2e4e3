import BridgeRuntime
import Logging
import Testing
import WebServer

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite @BridgeActor struct LiveReloadTests {
  private let clock = ManualBridgeClock()

  private func waitForSleeper() async {
    while clock.sleeperCount == 0 { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(5))) func `changes within the quiet time reload pages once`() async {
    let (reloads, continuation) = AsyncStream.makeStream(of: Void.self)
    var count = 0
    let liveReload = LiveReload(clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
      count += 1
      continuation.yield()
    }
    var iterator = reloads.makeAsyncIterator()
    for round in 1...2 {
      liveReload.received(.changed("a.js"))
      liveReload.received(.changed("b.js"))
      await waitForSleeper()
      // A change during the wait starts the wait again.
      liveReload.received(.changed("c.js"))
      clock.advance(by: LiveReload.quietTime)
      await waitForSleeper()
      #expect(count == round - 1)
      clock.advance(by: LiveReload.quietTime)
      await iterator.next()
      #expect(count == round)
    }
  }

  @Test func `a folder that cannot be watched does not reload pages`() async {
    let liveReload = LiveReload(clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
      Issue.record("Nothing has changed.")
    }
    liveReload.received(.incomplete(reason: "No space left"))
    await Task.yield()
    #expect(clock.sleeperCount == 0)
  }
}
