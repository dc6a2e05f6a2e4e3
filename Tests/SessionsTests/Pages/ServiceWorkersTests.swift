import BridgeRuntime
import Testing

@testable import Sessions

@BridgeActor
@Suite struct ServiceWorkersTests {
  private let workers = ServiceWorkers()

  @Test func `a worker stays unless a program wants it to end`() async {
    workers.registered("site/worker.js", in: [])
    #expect(!workers.updated("site/worker.js", in: []))
    _ = await workers.unregister(by: [])
    #expect(workers.updated("site/worker.js", in: []))
    #expect(workers.updated("site/other.js", in: []))
  }

  @Test func `a worker that is registered later stays until the next time`() async {
    _ = await workers.unregister(by: [])
    workers.registered("site/worker.js", in: [])
    #expect(!workers.updated("site/worker.js", in: []))
    #expect(workers.updated("site/other.js", in: []))
    _ = await workers.unregister(by: [])
    #expect(workers.updated("site/worker.js", in: []))
  }

  @Test func `without pages there is nothing to wait for`() async {
    let found = await workers.unregister(by: [])
    #expect(found.workers.isEmpty && found.caches.isEmpty)
    #expect(found.json == ["workers": [], "caches": []])
  }
}
