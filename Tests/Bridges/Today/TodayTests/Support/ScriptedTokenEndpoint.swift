import BridgeRuntime
import Synchronization
import Today

/// A token endpoint that answers as it was told and keeps what it was sent.
final class ScriptedTokenEndpoint: OAuthTokenEndpoint {
  private struct Unreachable: Error, CustomStringConvertible {
    let description = "could not connect to https://user:hush-hush@token.example"
  }

  private struct State {
    var answers: [(status: Int, body: String)?] = []
    var forms: [[String]] = []
    var authorizations: [String?] = []
    var underWay = 0
    var mostUnderWay = 0
  }

  private let state = Mutex(State())

  /// The forms that were posted, as `name=value`.
  var forms: [[String]] { state.withLock { $0.forms } }
  /// The `Authorization` fields that came with them.
  var authorizations: [String?] { state.withLock { $0.authorizations } }
  /// How many exchanges were under way at once, at the most.
  var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  /// Adds an answer; nil for no answer at all.
  func answer(_ status: Int, _ body: String) { state.withLock { $0.answers.append((status, body)) } }
  func failToAnswer() { state.withLock { $0.answers.append(nil) } }

  func post(form: [(String, String)], authorization: Secret?) async throws -> (status: Int, body: [UInt8]) {
    state.withLock { state in
      state.forms.append(form.map { "\($0)=\($1)" })
      state.authorizations.append(authorization?.reveal())
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
    }
    // Gives another exchange the chance to overlap.
    for _ in 0..<20 { await Task.yield() }
    let answer = state.withLock { state in
      state.underWay -= 1
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw Unreachable() }
    return (answer.status, Array(answer.body.utf8))
  }
}
