import BridgeRuntime
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct HeldBytesTests {
  private final class Calls {
    var count = 0
  }

  @Test func `above the limit the server is told once for each job`() async {
    let calls = Calls()
    let held = HeldBytes(limit: 10) { calls.count += 1 }
    held.change(by: 10)
    held.change(by: 1)
    held.change(by: 1)
    #expect(calls.count == 0)
    while calls.count == 0 { await Task.yield() }
    held.change(by: 1)
    while calls.count == 1 { await Task.yield() }
    #expect(calls.count == 2)
  }

  @Test func `the server is not told of bytes that are released at once`() async {
    let calls = Calls()
    let held = HeldBytes(limit: 10) { calls.count += 1 }
    held.change(by: 11)
    held.change(by: -1)
    // Jobs run in order.
    await Task { @BridgeActor in }.value
    #expect(calls.count == 0 && held.count == 10)
  }
}
