import BridgeRuntime
import Testing

@testable import Footbridge

@BridgeActor
@Suite struct DocumentTicketsTests {
  private let tickets = DocumentTickets(random: BridgeRandom(seed: 1))
  private let document = ServedDocument(origin: "http://localhost", target: "/", isMainFrame: true, sessionID: "s")

  @Test func `a ticket is good for one page, again and again`() {
    let ticket = tickets.issue(for: document)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == document)
    #expect(tickets.redeem(ticket, for: "s", pageID: "b") == nil)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == nil)
    #expect(tickets.redeem(ticket, for: "s", pageID: "a") == document)
  }

  @Test func `a page without an id spends its ticket`() {
    let ticket = tickets.issue(for: document)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == document)
    #expect(tickets.redeem(ticket, for: "s", pageID: nil) == nil)
  }

  @Test func `another session's ticket and an invented one are worth nothing`() {
    let ticket = tickets.issue(for: document)
    #expect(tickets.redeem(ticket, for: "other", pageID: "a") == nil)
    #expect(tickets.redeem("invented", for: "s", pageID: "a") == nil)
  }
}
