import BridgeRuntime
import Testing

@testable import Footbridge

@Suite struct IdempotencyKeysTests {
  private let start = BridgeInstant(millisecondsSinceEpoch: 0)

  /// What becomes of a request, in a word.
  private func verdict(
    _ keys: inout IdempotencyKeys<String>, _ key: String, _ request: String = "r", after time: Duration = .zero
  ) -> String {
    switch keys.begin(key, Array(request.utf8), at: start.advanced(by: time)) {
    case .new: "new"
    case .repeated(let answer): answer
    case .underWay: "under way"
    case .otherRequest: "other"
    }
  }

  @Test func `a request is answered once, and then has the same answer`() {
    var keys = IdempotencyKeys<String>()
    let before = [verdict(&keys, "k"), verdict(&keys, "k")]
    keys.finish("k", with: "answer")
    let after = [verdict(&keys, "k"), verdict(&keys, "k", "other"), verdict(&keys, "another")]
    #expect(before == ["new", "under way"])
    #expect(after == ["answer", "other", "new"])
  }

  @Test func `a request without effect can be sent again`() {
    var keys = IdempotencyKeys<String>()
    let first = verdict(&keys, "k")
    keys.forget("k")
    let second = verdict(&keys, "k", "other")
    #expect([first, second] == ["new", "new"])
  }

  @Test func `keys are bounded in number and in age`() {
    var keys = IdempotencyKeys<String>(capacity: 2)
    for key in ["a", "b", "c"] {
      _ = verdict(&keys, key)
      keys.finish(key, with: key)
    }
    #expect(keys.count == 2)
    let kept = [verdict(&keys, "c"), verdict(&keys, "a")]
    #expect(kept == ["c", "new"])
    let late = verdict(&keys, "c", after: IdempotencyKeys<String>.lifetime)
    #expect(late == "new")
  }
}
