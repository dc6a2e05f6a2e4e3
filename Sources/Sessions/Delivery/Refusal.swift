package import BridgeCore

/// The reason why a message of a page is refused.
package enum Refusal: Equatable, Sendable {
  /// A repeated call, which has run before. The page left before the answer came.
  case pageLeft
  /// A repeated call, which has run before. Its answer is deleted.
  case answerDeleted
  /// The message is too large. The text is a sentence about the limit.
  case tooLarge(String)
  /// Too many calls of the page wait for an answer.
  case tooManyCalls
  /// The calls of the session's pages that wait for an answer hold too many bytes.
  case callsTooLarge

  /// The reason as a sentence for the page's developer.
  package var message: String {
    switch self {
    case .pageLeft: "This call has run before and does not run again. The page left before the answer came."
    case .answerDeleted:
      "This call has run before and does not run again. Its answer is no longer there: the page has lost too many."
    case .tooLarge(let problem): problem
    case .tooManyCalls: "Too many calls of this page wait for an answer. Wait for one of them."
    case .callsTooLarge: "The calls that wait for an answer are too large together. Wait for one of them."
    }
  }

  /// The error for the page.
  package func error(for owner: ActionOwner) -> BridgeErrorPayload {
    BridgeErrorPayload(
      code: code(for: owner), message: message, recoverable: self == .tooManyCalls || self == .callsTooLarge)
  }

  private func code(for owner: ActionOwner) -> String {
    switch self {
    case .pageLeft, .answerDeleted: owner.isMadeByShim ? "bridge.brokenRequest" : "ANSWER_FORGOTTEN"
    case .tooLarge: owner.isMadeByShim ? "bridge.parametersNotRepresentable" : "MESSAGE_TOO_LARGE"
    case .tooManyCalls, .callsTooLarge: owner.isMadeByShim ? "bridge.brokenRequest" : "BUSY"
    }
  }
}
