import BridgeCore
import BridgeRuntime
import HTTP1
import HTTPTypes

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer

/// The control API: each request gets one well-formed answer that is no failure of the server's, and reading changes nothing.
enum ControlFuzz {
  @BridgeActor
  static func check(_ input: [UInt8]) async throws {
    let firstLine = input.prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: firstLine, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard words.count == 2, let method = HTTPRequest.Method(rawValue: String(words[0])) else { return }
    let server = try FuzzServer.shared.get()
    try await server.withSession { session in
      let before = session.state.record
      let path = String(words[1]).replacing("{session}", with: session.id)
      guard
        let answer = try await server.answer(method, path, body: Array(input.dropFirst(firstLine.count + 1))),
        !answer.isEmpty
      else { return }
      try check(answer, to: method)
      if [.get, .head].contains(method) {
        try FuzzFinding.unless(session.state.record == before, "\(method) \(path) has changed something.")
      }
    }
  }

  private static func check(_ answer: [UInt8], to method: HTTPRequest.Method) throws {
    var machine = ClientConnectionStateMachine()
    machine.beginRequest(method: method)
    machine.receive(answer)
    var body: [UInt8] = []
    var head: ResponseHead?
    reading: while true {
      switch machine.nextAction() {
      case .head(let final): head = final
      case .body(let bytes): body += bytes
      case .end: break reading
      case .informational: break
      case let action:
        throw FuzzFinding(description: "No whole answer, \(action): \(String(decoding: answer, as: UTF8.self))")
      }
    }
    try FuzzFinding.unless(
      machine.isReusable, "There is more than one answer: \(String(decoding: answer, as: UTF8.self))")
    guard let head else { return }
    try FuzzFinding.unless(head.status != .misdirectedRequest, "The request has not reached the control API.")
    try FuzzFinding.unless(
      head.status.code < 500 || head.status.code == 507, "\(head.status): \(String(decoding: body, as: UTF8.self))")
    if head.fields[.contentType]?.hasSuffix("json") == true, method != .head { _ = try JSONValue(parsing: body) }
  }
}
