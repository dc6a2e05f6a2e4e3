import BridgeRuntime
import Testing

@testable import Sessions

@BridgeActor
struct DocumentArrivalsTests {
  private let arrivals = DocumentArrivals(timeout: .seconds(3600))

  @Test func `settled returns when the pages of all served documents have connected`() async {
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

  @Test func `settled does not wait for documents that are served later`() async {
    arrivals.served(document("/a"))
    let waiting = Task { await arrivals.settled() }
    await Task.yield()
    arrivals.served(document("/b"))
    arrivals.arrived(document("/a"))
    await waiting.value
  }

  @Test func `settled waits for a page for each time a document was served`() async {
    arrivals.served(document("/a"))
    arrivals.served(document("/a"))
    arrivals.arrived(document("/a"))
    let waiting = Task { await arrivals.settled() }
    await Task.yield()
    arrivals.arrived(document("/a"))
    await waiting.value
  }

  @Test func `settled returns without expected pages, and at its timeout`() async {
    await arrivals.settled()
    let untimely = DocumentArrivals(timeout: .zero)
    untimely.served(document("/a"))
    await untimely.settled()
  }

  private func document(_ target: String) -> ServedDocument {
    ServedDocument(origin: "http://localhost:8080", target: target, frame: .main, sessionID: "session")
  }
}
