import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite struct HTTP2ResponseStateMachineTests {
  private typealias Action = HTTP2ResponseStateMachine.Action

  private func machine(_ method: HTTPRequest.Method = .get) -> HTTP2ResponseStateMachine {
    var limits = HTTP1Limits()
    limits.informationalResponses = 2
    return HTTP2ResponseStateMachine(method: method, limits: limits)
  }

  private func fields(_ pairs: [(String, String)]) -> [HTTP2Field] {
    pairs.map { HTTP2Field(name: Array($0.0.utf8), value: Array($0.1.utf8)) }
  }

  private func status(_ code: String, _ more: (String, String)...) -> [HTTP2Field] {
    fields([(":status", code)] + more)
  }

  private func head(_ code: Int, _ list: HTTPFields = [:], of method: HTTPRequest.Method = .get) throws -> ResponseHead
  {
    try ResponseHead(status: .init(code: code), fields: list, inResponseTo: method)
  }

  @Test func `a response is a head, a body and an end`() throws {
    var machine = machine()
    #expect(machine.awaitsHead)
    let began = machine.received(status("200", ("content-type", "text/plain")), endsStream: false)
    #expect(began == [.head(try head(200, [.contentType: "text/plain"]))])
    #expect(!machine.awaitsHead && !machine.isComplete)
    #expect(machine.receivedEnd() == [.end(trailers: [:])])
    #expect(machine.isComplete)
    #expect(machine.closed(HTTP2StreamEnd(code: .noError)) == nil)
  }

  @Test func `a head that ends the stream is the whole response`() throws {
    var machine = machine(.head)
    #expect(
      machine.received(status("200"), endsStream: true) == [.head(try head(200, of: .head)), .end(trailers: [:])])
  }

  @Test func `trailers end a response`() throws {
    var machine = machine()
    _ = machine.received(status("200"), endsStream: false)
    let name = try #require(HTTPField.Name("x-sum"))
    #expect(machine.received(fields([("x-sum", "3")]), endsStream: true) == [.end(trailers: [name: "3"])])
  }

  @Test func `informational responses come first, and are limited`() throws {
    var machine = machine()
    for _ in 0..<2 {
      #expect(machine.received(status("103"), endsStream: false) == [.informational(try head(103))])
      #expect(machine.awaitsHead)
    }
    guard case .refuse? = machine.received(status("103"), endsStream: false).first else {
      Issue.record("a third one is accepted")
      return
    }
    #expect(machine.received(status("200"), endsStream: true).isEmpty)
  }

  @Test(arguments: ["", "20", "abc", "099", "600", "101", "-200"])
  func `a status that HTTP/2 does not have is refused`(code: String) {
    var machine = machine()
    guard case .refuse? = machine.received(status(code), endsStream: false).first else {
      Issue.record("\(code) is accepted")
      return
    }
  }

  @Test(arguments: [
    (HTTP2ErrorCode.refusedStream, HTTP2ResponseStateMachine.Outcome.handedBack),
    (.http11Required, .needsHTTP1), (.cancel, .reset(.cancel)), (.noError, .reset(.noError)),
    (HTTP2ErrorCode(rawValue: 99), .reset(HTTP2ErrorCode(rawValue: 99))),
  ])
  func `the error code of a stream decides the outcome of its request`(
    code: HTTP2ErrorCode, outcome: HTTP2ResponseStateMachine.Outcome
  ) {
    var machine = machine()
    #expect(machine.closed(HTTP2StreamEnd(code: code)) == outcome)
  }

  @Test(arguments: [HTTP2ErrorCode.refusedStream, .http11Required])
  func `a request whose response has begun is not sent again`(code: HTTP2ErrorCode) {
    var machine = machine()
    _ = machine.received(status("200"), endsStream: false)
    #expect(machine.closed(HTTP2StreamEnd(code: code)) == .reset(code))
  }

  @Test func `the error about a broken response names the rule`() {
    var machine = machine()
    #expect(
      machine.closed(HTTP2StreamEnd(code: .protocolError, defect: "it is wrong")) == .broken(reason: "it is wrong"))
  }
}
