package import BridgeRuntime
import Cryptography

/// The bearer token with which a program may use the control API for one session alone: the session's id, a dot, and 128 random bits.
///
/// It is only in memory. It expires when its session ends here, which is when the session is deleted, too.
package struct SessionToken: Sendable {
  /// The token.
  package let secret: Secret

  /// A new token of a session. It does not depend on the server's seed.
  init(session id: String) {
    secret = Secret("\(id).\(BridgeRandom().token())")
  }

  /// Whether a text is this token. Takes the same time for every wrong text.
  func isEqual(to text: String) -> Bool {
    areEqualInConstantTime(SHA256.hash(text), SHA256.hash(secret.reveal()))
  }

  /// The id of the session for which a text would be a token; nil if it has not the form of one.
  package static func session(of text: String) -> String? {
    text.wholeMatch(of: form).map { String($0.id) }
  }

  /// A text in which everything that has the form of a token is replaced.
  package static func removed(from text: String) -> String {
    text.replacing(form, with: SecretPatterns.mark)
  }

  private static var form: Regex<(Substring, id: Substring)> { /(?<id>[0-9a-f]{16})\.[0-9a-f]{32}/ }
}

extension SessionRegistry {
  /// The token for a running session alone, made when it is first needed; nil if the session does not run here.
  package func token(ofSession id: String) -> Secret? {
    if let token = tokens[id] { return token.secret }
    guard let session = running(id: id) else { return nil }
    let token = SessionToken(session: id)
    tokens[id] = token
    session.journal.secrets.remember(token.secret)
    return token.secret
  }

  /// The id of the session for which this text is a token; nil if it is none.
  package func session(withToken text: String) -> String? {
    guard let id = SessionToken.session(of: text), let token = tokens[id], token.isEqual(to: text) else { return nil }
    return id
  }
}
