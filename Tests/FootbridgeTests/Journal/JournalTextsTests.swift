import Testing

@testable import Footbridge

@Suite struct JournalTextsTests {
  /// A text that no other number has, of about so many bytes.
  private func text(_ number: Int, _ count: Int) -> [UInt8] {
    Array("\(number):".utf8) + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
  }

  private func add(_ text: [UInt8], to texts: inout JournalTexts) -> JournalTexts.Place {
    text.withUnsafeBufferPointer { texts.append($0) }
  }

  @Test func `texts over several pieces of memory are told as they came`() {
    var texts = JournalTexts()
    let all = (0..<500).map { text($0, $0 * 37 % 4096) }
    let places = all.map { add($0, to: &texts) }
    #expect(zip(all, places).allSatisfy { texts.bytes($1) == $0 })
    #expect(places.map(\.piece) == places.map(\.piece).sorted())
    #expect((places.last?.piece ?? 0) > 5)
    #expect(Set(places.map(\.piece)).count == (places.last?.piece ?? 0) + 1)
  }

  @Test func `those that are left are told right after the oldest were forgotten`() {
    var texts = JournalTexts()
    var all: [(text: [UInt8], place: JournalTexts.Place)] = []
    for number in 0..<2000 {
      let text = text(number, number * 53 % 3000)
      all.append((text, add(text, to: &texts)))
      if all.count > 100 {
        texts.forget(before: all.removeFirst().place.piece)
        #expect(all.first.map { texts.bytes($0.place) == $0.text } == true)
        #expect(texts.bytes(all[50].place) == all[50].text)
      }
    }
    #expect(all.allSatisfy { texts.bytes($0.place) == $0.text })
  }

  @Test func `all may be forgotten but for the piece that is being filled`() {
    var texts = JournalTexts()
    var last = add(text(0, 1), to: &texts)
    for number in 1..<200 { last = add(text(number, 1000), to: &texts) }
    texts.forget(before: last.piece)
    texts.forget(before: last.piece)
    #expect(texts.bytes(last) == text(199, 1000))
    let next = (200..<400).map { add(text($0, 1000), to: &texts) }
    #expect(next.enumerated().allSatisfy { texts.bytes($1) == text(200 + $0, 1000) })
  }

  @Test func `a text may be empty, or larger than a piece is otherwise`() {
    var texts = JournalTexts()
    let all = [[], text(1, 100_000), [], text(2, 1), text(3, 1 << 20), [], text(4, 1)]
    let places = all.map { add($0, to: &texts) }
    #expect(zip(all, places).allSatisfy { texts.bytes($1) == $0 })
    var none = JournalTexts()
    let place = none.append(UnsafeBufferPointer(start: nil, count: 0))
    #expect(none.bytes(place) == [])
  }

  @Test func `a piece is filled to its end and no further`() {
    var texts = JournalTexts()
    var all: [(text: [UInt8], place: JournalTexts.Place)] = []
    // The first piece has 1 KiB, each after it twice as much.
    for (number, count) in [1000, 24, 1, 2047, 1, 4095, 4096].enumerated() {
      let text = [UInt8](repeating: UInt8(number + 1), count: count)
      all.append((text, add(text, to: &texts)))
    }
    #expect(all.map(\.place.piece) == [0, 0, 1, 1, 2, 2, 3])
    #expect(all.allSatisfy { texts.bytes($0.place) == $0.text })
  }
}
