import BridgeRuntime
import HTTP1
import Testing

/// One of the samples with a few bytes changed, put in, taken out or copied from another sample.
func mutation(of samples: [[UInt8]], with generator: inout SplitMix64) -> [UInt8] {
  let interesting = Array("\r\n\t :;,=\"\\%#/?*0123456789abcdefABCDEF+-\0\u{7F}".utf8) + [0x80, 0xFF]
  var bytes = samples.randomElement(using: &generator) ?? []
  for _ in 0..<Int.random(in: 1...6, using: &generator) {
    let index = Int.random(in: 0...bytes.count, using: &generator)
    let byte =
      Bool.random(using: &generator)
      ? interesting.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0 where index < bytes.count: bytes[index] = byte
    case 1: bytes.insert(byte, at: index)
    case 2 where index < bytes.count: bytes.remove(at: index)
    case 3:
      let other = samples.randomElement(using: &generator) ?? []
      let start = Int.random(in: 0...other.count, using: &generator)
      bytes.insert(contentsOf: other[start...].prefix(40), at: index)
    default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 0...8, using: &generator)))
    }
  }
  return bytes
}

/// The bytes in pieces of random sizes.
func randomPieces(of bytes: [UInt8], with generator: inout SplitMix64) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(Int.random(in: 1...12, using: &generator))
    pieces.append(Array(piece))
    rest = rest.dropFirst(piece.count)
  }
  return pieces
}

@Suite struct RequestMutationTests {
  @Test func `damaged requests have the same outcome in chunks of any size, and never crash`() {
    var generator = SplitMix64(seed: 20_260_101)
    let samples = (acceptedRequests + refusedRequests.map(\.text)).map { Array($0.utf8) }
    var refusals = 0
    for _ in 0..<6000 {
      let bytes = mutation(of: samples, with: &generator)
      let end = Bool.random(using: &generator)
      let whole = serverEvents([bytes], thenEnd: end)
      #expect(whole.last == .closed || whole.last == .waitsForBytes)
      #expect(whole.count { if case .refuse = $0 { true } else { false } } <= 1)
      #expect(serverEvents(randomPieces(of: bytes, with: &generator), thenEnd: end) == whole)
      if whole.contains(where: { if case .refuse = $0 { true } else { false } }) { refusals += 1 }
    }
    #expect(refusals > 1000 && refusals < 6000)
  }
}
