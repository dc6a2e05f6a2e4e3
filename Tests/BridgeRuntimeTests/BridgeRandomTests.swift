import BridgeRuntime
import Testing

@Suite struct BridgeRandomTests {
  @Test func `the same seed gives the same identifiers in the same order`() {
    let (first, second) = (BridgeRandom(seed: 7), BridgeRandom(seed: 7))
    #expect((0..<5).map { _ in first.uuid() } == (0..<5).map { _ in second.uuid() })
  }

  @Test func `a UUID has version 4 and the variant of RFC 9562`() {
    let random = BridgeRandom()
    for _ in 0..<100 {
      let uuid = random.uuid()
      #expect(uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
  }

  @Test func `each token is another 32 hexadecimal digits`() {
    let random = BridgeRandom()
    let tokens = (0..<100).map { _ in random.token() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
  }

  @Test func `a stream depends only on its seed and name`() {
    let (first, second) = (BridgeRandom(seed: 7), BridgeRandom(seed: 7))
    _ = second.token()
    _ = second.stream("other").token()
    #expect(first.stream("a").token() == second.stream("a").token())
  }

  @Test func `streams of different names or seeds give different tokens`() {
    let tokens = ([7, 8] as [UInt64]).flatMap { seed in
      let random = BridgeRandom(seed: seed)
      return [random.token(), random.stream("").token(), random.stream("a").token(), random.stream("b").token()]
    }
    #expect(Set(tokens).count == tokens.count)
  }

  @Test func `streams of an unseeded source are random`() {
    let random = BridgeRandom()
    #expect(random.stream("a").token() != random.stream("a").token())
  }
}
