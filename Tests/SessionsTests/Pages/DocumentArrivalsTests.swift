import BridgeRuntime
import Testing

@testable import Sessions

@BridgeActor
struct DocumentArrivalsTests {
  private let arrivals = DocumentArrivals(patience: .seconds(3600))

  @Test func `who waits goes on when the pages of all documents have come`() async {
    arrivals.served(document("/a"))
    arrivals.served(document("/b"))
    var isSettled = false
    let waiting = Task {
      await arrivals.settled()
      isSettled = true
    }
    await Task.yield()
    arrivals.arrived(document("/a"))
    arrivals.arrived(document("/a"))
    await Task.yield()
    #expect(!isSettled)
    arrivals.arrived(document("/b"))
    await waiting.value
    #expect(isSettled)
  }

  @Test func `nobody waits for documents that are served later`() async {
    arrivals.served(document("/a"))
    let waiting = Task { await arrivals.settled() }
    await Task.yield()
    arrivals.served(document("/b"))
    arrivals.arrived(document("/a"))
    await waiting.value
  }

  @Test func `a document that was served twice has two pages`() async {
    arrivals.served(document("/a"))
    arrivals.served(document("/a"))
    arrivals.arrived(document("/a"))
    let waiting = Task { await arrivals.settled() }
    await Task.yield()
    arrivals.arrived(document("/a"))
    await waiting.value
  }

  @Test func `nobody waits where no page is expected, nor for ever for one that does not come`() async {
    await arrivals.settled()
    let impatient = DocumentArrivals(patience: .zero)
    impatient.served(document("/a"))
    await impatient.settled()
  }

  private func document(_ target: String) -> ServedDocument {
    ServedDocument(origin: "http://localhost:8080", target: target, frame: .main, sessionID: "session")
  }
}
