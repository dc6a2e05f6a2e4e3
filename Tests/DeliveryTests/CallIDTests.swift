import BridgeCore
import Testing

@testable import Delivery

@Suite struct CallIDTests {
  private func received(_ raw: String) throws -> BridgeMessage {
    try BridgeMessage(
      parsing:
        #"{"version":"1.0","correlationId":"\#(raw)","type":"request","timestamp":1,"payload":{"action":"a"}}"#.utf8)
  }

  private func made(_ id: String) -> BridgeMessage {
    BridgeMessage(
      version: "1.0", correlationId: id, type: .response, timestamp: 1,
      payload: BridgePayload(action: "b", data: nil, status: nil, error: nil))
  }

  @Test(
    arguments: [
      ("", ""), ("1", "1"), ("c-0123456789abcdef", "c-0123456789abcdef"), ("é€😀", "é€😀"), (#"\u00e9\n\""#, "é\n\""),
      (#"\ud800"#, "\u{FFFD}"), ("\u{FFFD}", "\u{FFFD}"),
    ])
  func `the CallID of an id, its request and its answer is the same`(raw: String, id: String) throws {
    #expect(CallID(try received(raw)) == CallID(id))
    #expect(CallID(made(id)) == CallID(id))
  }

  @Test func `ids that differ in a byte, in length or in Unicode form have different CallIDs`() throws {
    let ids = ["", " ", "\u{0}", "\u{0}\u{0}", "a", "A", "aa", "e\u{301}", "\u{E9}", "c-1", "c-10", "c-01"]
    #expect(Set(ids.map { CallID($0) }).count == ids.count)
    #expect(Set(ids.map { CallID(made($0)) }).count == ids.count)
    #expect(Set((0..<10_000).map { CallID("\($0)") }).count == 10_000)
  }
}
