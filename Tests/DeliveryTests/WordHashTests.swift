import BridgeCore
import Testing

@testable import Delivery

@Suite struct WordHashTests {
  private func hash(_ text: [UInt8]) -> Int { text.withUnsafeBufferPointer(WordHash.hash) }

  @Test func `the hash of a text does not depend on its position in memory`() {
    for count in 0...70 {
      let text = (0..<count).map { UInt8($0 * 3) }
      let first = hash(text)
      for offset in 0..<9 {
        let memory = [UInt8](repeating: UInt8(offset), count: offset) + text + [0xFF]
        #expect(
          memory.withUnsafeBufferPointer { WordHash.hash(UnsafeBufferPointer(rebasing: $0[offset..<(offset + count)])) }
            == first)
      }
    }
  }

  @Test func `texts that differ in any one byte have different hashes`() {
    for count in 1...70 {
      var hashes: Set<Int> = []
      for place in 0..<count {
        for byte: UInt8 in [0, 1, 0x61, 0x80, 0xFF] {
          var text = [UInt8](repeating: 0x20, count: count)
          text[place] = byte
          hashes.insert(hash(text))
        }
      }
      #expect(hashes.count == count * 5, "\(count)")
    }
  }

  @Test func `texts of the same bytes and different lengths have different hashes`() {
    for byte: UInt8 in [0, 0x20, 0xFF] {
      let hashes = Set((0...300).map { hash([UInt8](repeating: byte, count: $0)) })
      #expect(hashes.count == 301)
    }
  }

  @Test func `texts of the same words in another order have different hashes`() {
    let words = (0..<6).map { [UInt8](repeating: UInt8(0x61 + $0), count: 8) }
    var hashes: Set<Int> = []
    var count = 0
    for first in words.indices {
      for second in words.indices where second != first {
        var others = words
        others.swapAt(first, second)
        if first < second {
          hashes.insert(hash(others.flatMap { $0 }))
          count += 1
        }
      }
    }
    #expect(hashes.count == count)
  }
}

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
