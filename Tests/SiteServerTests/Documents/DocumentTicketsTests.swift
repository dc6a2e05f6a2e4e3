import BridgeRuntime
import Cryptography
import Foundation
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@BridgeActor
@Suite struct DocumentTicketsTests {
  private let clock = ManualBridgeClock()
  private let tickets: DocumentTickets
  private let document = ServedDocument(
    origin: "http://localhost", target: "/a?b=c", frame: .main, sessionID: "s")

  init() throws {
    tickets = try DocumentTickets(state: nil, clock: clock, random: BridgeRandom())
  }

  @Test func `a ticket is redeemed for one page any number of times`() {
    let ticket = tickets.issue(for: document)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == document)
    #expect(tickets.redeem(ticket, for: "s", pageID: "b") == nil)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == nil)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == document)
  }

  @Test func `a ticket is redeemed for one other page after its page was left`() {
    let ticket = tickets.issue(for: document)
    _ = tickets.redeem(ticket, for: "s", pageID: "a")
    tickets.pageEnded(ticket, by: "b")
    #expect(tickets.redeem(ticket, for: "s", pageID: "b") == nil)
    tickets.pageEnded(ticket, by: "a")
    #expect(tickets.redeem(ticket, for: "s", pageID: "b") == document)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == nil)
    #expect(tickets.redeem(ticket, for: "s", pageID: "c") == nil)
  }

  @Test func `a page without an id uses up its ticket`() {
    let ticket = tickets.issue(for: document)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == document)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == nil)
  }

  @Test func `a ticket of a later version with additional parts is redeemed`() throws {
    let shared = AuthenticationCode(key: [UInt8](repeating: 1, count: AuthenticationCode.keyByteCount))
    let tickets = try DocumentTickets(state: nil, shared: shared, clock: clock, random: BridgeRandom())
    let text = "nonce \(Int(clock.now.millisecondsSinceEpoch)) main http://localhost /a?b=c more"
    let authentication = AuthenticationCode(key: shared.code(of: Array("tickets of documents".utf8)))
    let code = authentication.code(of: Array("\(text) s".utf8))
    let ticket = Base64URL.encode(Array(text.utf8)) + "." + Base64URL.encode(code)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == document)
  }

  @Test func `two tickets of one document are redeemed for two pages`() {
    let (one, other) = (tickets.issue(for: document), tickets.issue(for: document))
    #expect(tickets.redeem(one, for: "s", pageID: "a") == document)
    #expect(tickets.redeem(other, for: "s", pageID: "b") == document)
  }

  @Test func `a ticket that is changed, invented or of another session is refused`() throws {
    let ticket = tickets.issue(for: ServedDocument(origin: "http://a", target: "/", frame: .sub, sessionID: "s"))
    #expect(tickets.redeem(ticket, for: "other", pageID: "a") == nil)
    let halves = ticket.split(separator: ".").map(String.init)
    let text = String(decoding: try #require(Base64URL.decode(halves[0])), as: UTF8.self)
    let changed = Base64URL.encode(Array(text.replacing("frame", with: "main").utf8)) + "." + halves[1]
    for wrong in [
      "", ".", "invented", "a.b", halves[0], halves[0] + ".", changed, ticket + "A", ticket + "." + halves[1],
    ] {
      #expect(tickets.redeem(wrong, for: "s", pageID: "a") == nil)
    }
    #expect(tickets.redeem(ticket, for: "s", pageID: "a")?.isMainFrame == false)
  }

  @Test(arguments: [DocumentFrame.main, .sub, .either, .worker, .unknown])
  func `a ticket contains the frame of its document`(frame: DocumentFrame) throws {
    let ticket = tickets.issue(for: ServedDocument(origin: "http://a", target: "/", frame: frame, sessionID: "s"))
    #expect(try #require(tickets.redeem(ticket, for: "s", pageID: "a")).frame == frame)
  }

  @Test func `a service worker's ticket is redeemed for any page of its session at any time`() {
    let stored = ServedDocument(origin: "http://a", target: "/", frame: .worker, sessionID: "s")
    let ticket = tickets.issue(for: stored)
    clock.advance(by: DocumentTickets.lifetime * 2)
    for page in ["a", "b", nil] { #expect(tickets.redeem(ticket, for: "s", pageID: page) == stored) }
    #expect(tickets.redeem(ticket, for: "other", pageID: "a") == nil)
  }

  @Test func `an expired ticket is refused`() {
    let ticket = tickets.issue(for: document)
    clock.advance(by: DocumentTickets.lifetime)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == nil)
  }

  @Test func `a document whose target is too long is not a main frame`() throws {
    let long = ServedDocument(
      origin: "http://a", target: "/" + String(repeating: "a", count: 5000), frame: .main, sessionID: "s")
    let ticket = tickets.issue(for: long)
    #expect(ticket.utf8.count < 6000)
    #expect(try #require(tickets.redeem(ticket, for: "s", pageID: "a")).isMainFrame == false)
  }

  @Test func `tickets are redeemed after a restart with the same state directory only`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let state = try StateDirectory(path: path)
    func start(_ state: StateDirectory?) throws -> DocumentTickets {
      try DocumentTickets(state: state, clock: clock, random: BridgeRandom())
    }
    let ticket = try start(state).issue(for: document)
    #expect(try start(state).redeem(ticket, for: "s", pageID: "a") == document)
    #expect(try start(nil).redeem(ticket, for: "s", pageID: "a") == nil)
    try state.write(Data("short".utf8), to: DocumentTickets.keyFileName)
    #expect(throws: StateError.self) { try start(state) }
  }
}
