import HTTP1
import Testing

private let everyRequest = acceptedRequests + refusedRequests.map(\.text)

@Suite struct SplitInvarianceTests {
  @Test(arguments: everyRequest)
  func `requests have the same outcome in chunks of any size`(_ text: String) {
    let bytes = Array(text.utf8)
    for end in [false, true] {
      let whole = serverEvents([bytes], thenEnd: end)
      #expect(serverEvents(bytes.map { [$0] }, thenEnd: end) == whole)
      for index in bytes.indices {
        #expect(serverEvents([Array(bytes[..<index]), Array(bytes[index...])], thenEnd: end) == whole)
      }
    }
  }

  @Test(arguments: everyRequest)
  func `a request is refused at the first byte that breaks a rule`(_ text: String) {
    let bytes = Array(text.utf8)
    var machine = ServerConnectionStateMachine()
    var refusedAt: Int?
    for (index, byte) in bytes.enumerated() where refusedAt == nil {
      machine.receive([byte])
      loop: while true {
        switch machine.nextAction() {
        case .head, .body, .end: continue
        case .awaitsResponse: machine.responseSent()
        case .needsMoreBytes, .closed: break loop
        case .refuse: refusedAt = index
        }
      }
    }
    guard let refusedAt else { return }
    #expect(serverEvents([Array(bytes[..<refusedAt])]).last == .waitsForBytes)
    #expect(serverEvents([Array(bytes[...refusedAt])]).last == .closed)
  }
}
