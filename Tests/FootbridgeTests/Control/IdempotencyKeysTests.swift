@testable import BridgeServer
import BridgeRuntime
import Testing

@testable import Footbridge

@Suite struct IdempotencyKeysTests {
  private let start = BridgeInstant(millisecondsSinceEpoch: 0)

  /// The verdict about a request, in a word.
  private func verdict(
    _ keys: inout IdempotencyKeys, _ key: String, _ request: String = "r", after time: Duration = .zero
  ) -> String {
    switch keys.begin(key, Array(request.utf8), at: start.advanced(by: time)) {
    case .new: "new"
    case .repeated(let answer): String(decoding: answer, as: UTF8.self)
    case .underWay: "under way"
    case .otherRequest: "other"
    }
  }

  @Test func `a repeated request gets the stored answer`() {
    var keys = IdempotencyKeys()
    let before = [verdict(&keys, "k"), verdict(&keys, "k")]
    keys.finish("k", with: Array("answer".utf8))
    let after = [verdict(&keys, "k"), verdict(&keys, "k", "other"), verdict(&keys, "another")]
    #expect(before == ["new", "under way"])
    #expect(after == ["answer", "other", "new"])
  }

  @Test func `a request whose key was forgotten is run again`() {
    var keys = IdempotencyKeys()
    let first = verdict(&keys, "k")
    keys.forget("k")
    let second = verdict(&keys, "k", "other")
    #expect([first, second] == ["new", "new"])
  }

  @Test func `idempotency keys are limited in number, bytes and age`() {
    var keys = IdempotencyKeys(capacity: 2, byteCapacity: 5)
    for key in ["a", "b", "c"] {
      _ = verdict(&keys, key)
      keys.finish(key, with: Array(key.utf8))
    }
    #expect(keys.count == 2)
    let kept = [verdict(&keys, "c"), verdict(&keys, "a")]
    #expect(kept == ["c", "new"])
    keys.finish("a", with: Array("12345".utf8))
    let large = [verdict(&keys, "a"), verdict(&keys, "c")]
    #expect(large == ["12345", "new"])
    let late = verdict(&keys, "a", after: KeptAnswer.lifetime)
    #expect(late == "new")
  }

  @Test func `a restored answer is used for the same request only`() {
    var keys = IdempotencyKeys()
    let end = start.advanced(by: .seconds(10))
    keys.restore(KeptAnswer(id: "k", request: Array("r".utf8), end: end, sealed: Array("answer".utf8)))
    let found = [verdict(&keys, "k"), verdict(&keys, "k", "other"), verdict(&keys, "k", after: .seconds(10))]
    #expect(found == ["answer", "other", "new"])
  }

  @Test func `a stored answer is opened with its idempotency key only`() {
    let key = IdempotencyKey("k")
    let sealed = key.seal(Array("answer".utf8))
    #expect(key.open(sealed) == Array("answer".utf8) && IdempotencyKey("K").open(sealed) == nil)
    #expect(key.id == IdempotencyKey("k").id && key.id != IdempotencyKey("K").id && !key.id.contains("k"))
  }

  @Test func `a stored answer is repeated unchanged`() throws {
    for response in [ControlResponse.json(["a": 1]), .created(["id": "s"], location: "/sessions/s"), .noContent] {
      let again = try again(.success(response)).get()
      #expect("\(again)" == "\(response)")
    }
    #expect(RememberedAnswer.bytes(of: .success(.answered)) == nil)
  }

  @Test func `a stored refusal is repeated unchanged`() throws {
    var refusal = ControlProblem.conflict("It has ended.")
    refusal.members = ["gates": ["g"]]
    refusal.fields = [.allow: "GET"]
    let again = try again(.failure(refusal))
    let problem = #expect(throws: ControlProblem.self) { try again.get() }
    #expect(problem?.status == .conflict && problem?.detail == refusal.detail)
    #expect(problem?.members == refusal.members && problem?.fields == refusal.fields)
  }

  private func again(
    _ answer: Result<ControlResponse, ControlProblem>
  ) throws -> Result<ControlResponse, ControlProblem> {
    let bytes = try #require(RememberedAnswer.bytes(of: answer))
    return try #require(RememberedAnswer.answer(bytes))
  }
}
