import BridgeRuntime
import Testing

@testable import Sessions

@BridgeActor
@Suite struct ServiceWorkersTests {
  private let workers = ServiceWorkers()

  @Test func `a service worker is retained until a program unregisters it`() async {
    workers.registered("site/worker.js", in: [])
    #expect(!workers.updated("site/worker.js", in: []))
    _ = await workers.unregister(by: [])
    #expect(workers.updated("site/worker.js", in: []))
    #expect(workers.updated("site/other.js", in: []))
  }

  @Test func `a service worker registered after unregister is retained until the next unregister`() async {
    _ = await workers.unregister(by: [])
    workers.registered("site/worker.js", in: [])
    #expect(!workers.updated("site/worker.js", in: []))
    #expect(workers.updated("site/other.js", in: []))
    _ = await workers.unregister(by: [])
    #expect(workers.updated("site/worker.js", in: []))
  }

  @Test func `unregister without pages returns at once`() async {
    let found = await workers.unregister(by: [])
    #expect(found.workers.isEmpty && found.caches.isEmpty)
    #expect(found.json == ["workers": [], "caches": []])
  }
}
