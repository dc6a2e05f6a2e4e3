import Testing

@testable import Sessions

@Suite struct PageDocumentTests {
  private func document(_ frame: DocumentFrame) -> PageDocument {
    PageDocument(ServedDocument(origin: "http://localhost:8080", target: "/", frame: frame, sessionID: "s"))
  }

  @Test func `a document in a tab is a main frame`() {
    #expect(document(.main).reasonAgainstMainFrame == nil)
  }

  @Test(arguments: [DocumentFrame.sub, .either])
  func `a document that may be in a frame is not a main frame`(frame: DocumentFrame) {
    #expect(document(frame).reasonAgainstMainFrame == "it is in a sub-frame")
  }

  @Test func `a document without a valid ticket is not a main frame, and the reason names the ticket`() {
    #expect(PageDocument(nil).reasonAgainstMainFrame?.contains("no ticket") == true)
    #expect(PageDocument(nil, hasInvalidTicket: true).reasonAgainstMainFrame?.contains("no valid ticket") == true)
  }

  @Test func `a page with an invalid ticket is warned once`() {
    var document = PageDocument(nil, hasInvalidTicket: true)
    let (first, second) = (document.takeWarning(), document.takeWarning())
    #expect(first?.contains("Reload the page") == true && second == nil)
    for var other in [PageDocument(nil), self.document(.main)] {
      let warning = other.takeWarning()
      #expect(warning == nil)
    }
  }
}
