import HTTP1
import Testing

@Suite struct RequestRefusalTests {
  @Test(arguments: refusedRequests)
  func `a request that breaks a rule is refused with its status, and nothing after it is read`(
    _ request: RefusedRequest
  ) {
    let events = serverEvents(request.text + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(events.suffix(2) == [.refuse(.init(code: request.status), request.defect), .closed])
    #expect(heads(events).allSatisfy { $0.target.path != "/smuggled" })
  }

  @Test func `every defect is covered by a test of requests, responses or limits`() {
    let elsewhere: Set<MessageDefect> = [
      .requestLineTooLong, .headTooLarge, .tooManyFields, .chunkLineTooLong, .chunkExtensionsTooLong, .trailersTooLarge,
      .truncatedHead, .truncatedBody,
    ]
    let ofResponses: Set<MessageDefect> = [
      .malformedStatusLine, .noResponse, .unexpectedSwitch, .tooManyInformationalResponses,
    ]
    #expect(Set(refusedRequests.map(\.defect)).union(elsewhere).union(ofResponses) == Set(MessageDefect.allCases))
  }

  @Test(arguments: MessageDefect.allCases)
  func `every defect has a sentence and an error status`(_ defect: MessageDefect) {
    let error = RequestError(defect)
    #expect(error.description.hasSuffix("."))
    #expect(error.status.kind == .clientError || error.status.kind == .serverError)
    #expect(!error.status.reasonPhrase.isEmpty)
  }

  @Test func `after a refusal bytes are ignored and the only action is to close`() {
    var machine = ServerConnectionStateMachine()
    machine.receive(Array("GET / HTTP/1.1\n".utf8))
    #expect(machine.nextAction() == .refuse(RequestError(.bareLineFeed)))
    machine.receive(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    machine.responseSent()
    #expect(machine.nextAction() == .closed)
    #expect(machine.nextAction() == .closed)
    #expect(machine.shouldClose)
    #expect(!machine.wantsBytes)
  }
}
