import BridgeRuntime
import Testing

@testable import BridgeServer
@testable import Footbridge

@Suite struct IdempotencyKeysTests {
  private let start = BridgeInstant(millisecondsSinceEpoch: 0)

  /// The verdict about a request, in a word.
  private func verdict(
    _ keys: inout IdempotencyKeys, _ key: String, _ request: String = "r", after time: Duration = .zero
  ) -> String {
    switch keys.begin(key, Array(request.utf8), at: start.advanced(by: time)) {
    case .new: "new"
    case .repeated(.success(.json(let answer))): answer.stringValue ?? ""
    case .repeated(.success(let answer)): "\(answer)"
    case .repeated(.failure(let problem)): problem.detail
    case .underWay: "under way"
    case .otherRequest: "other"
    }
  }

  @Test func `a repeated request gets the stored answer`() {
    var keys = IdempotencyKeys()
    let before = [verdict(&keys, "k"), verdict(&keys, "k")]
    keys.finish("k", with: .success(.json("answer")))
    let after = [verdict(&keys, "k"), verdict(&keys, "k", "other"), verdict(&keys, "another")]
    #expect(before == ["new", "under way"])
    #expect(after == ["answer", "other", "new"])
  }

  @Test func `a request without effect can be sent again`() {
    var keys = IdempotencyKeys()
    let first = verdict(&keys, "k")
    keys.forget("k")
    let second = verdict(&keys, "k", "other")
    #expect([first, second] == ["new", "new"])
  }

  @Test func `idempotency keys are limited in number, bytes and age`() {
    var keys = IdempotencyKeys(limit: 2, byteLimit: 5)
    for key in ["a", "b", "c"] {
      _ = verdict(&keys, key)
      keys.finish(key, with: .success(.json("")))
    }
    #expect(keys.count == 2)
    let remembered = [verdict(&keys, "c"), verdict(&keys, "a")]
    #expect(remembered == ["", "new"])
    keys.finish("a", with: .success(.json("123")))
    let large = [verdict(&keys, "a"), verdict(&keys, "c")]
    #expect(large == ["123", "new"])
    let late = verdict(&keys, "a", after: IdempotencyKeys.lifetime)
    #expect(late == "new")
  }

  @Test func `a repeated request gets the stored refusal, unless that was a conflict or an error of the server`() {
    var keys = IdempotencyKeys()
    let problems = [
      ControlProblem.unprocessable("wrong"), .notFound("unknown"), .conflict("not now"), .insufficientStorage("full"),
    ]
    let answers = problems.map { problem in
      _ = verdict(&keys, problem.detail)
      keys.finish(problem.detail, with: .failure(problem))
      return verdict(&keys, problem.detail)
    }
    #expect(answers == ["wrong", "unknown", "new", "new"])
  }

  @Test func `an answer that only one connection can have is not remembered`() {
    var keys = IdempotencyKeys()
    let verdicts = [ControlResponse.answered, .lines([])].map { response in
      _ = verdict(&keys, "k")
      keys.finish("k", with: .success(response))
      return verdict(&keys, "k")
    }
    #expect(verdicts == ["new", "new"])
  }
}
