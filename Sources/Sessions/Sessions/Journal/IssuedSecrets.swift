package import BridgeRuntime

/// The secrets that a session or the server has issued or received: tokens and values of cookies. The journal removes them wherever a page
/// repeats them, under any name.
///
/// The search runs when someone reads the journal, not when a message comes. So it knows every issued secret, and costs nothing for a
/// message.
@BridgeActor
package final class IssuedSecrets {
  /// The minimum length of a secret in bytes. Shorter texts occur in many words.
  static let byteMinimum = 8
  /// The maximum number and total size of remembered secrets. The oldest are forgotten first.
  static let countLimit = 500
  static let byteLimit = 512 << 10

  /// The server's secrets, which all sessions share.
  var server: IssuedSecrets?

  private var texts: [String] = []
  private var byteCount = 0
  private var changeCount = 0
  private var known: (patterns: SecretPatterns, changeCount: Int)?

  /// Creates an empty collection.
  package init() {}

  /// Remembers a secret. It is removed from all entries, also from earlier ones.
  package func remember(_ secret: Secret) {
    let text = secret.reveal()
    guard text.utf8.count >= Self.byteMinimum, text.utf8.count <= Self.byteLimit, !texts.contains(text) else { return }
    texts.append(text)
    byteCount += text.utf8.count
    while texts.count > Self.countLimit || byteCount > Self.byteLimit { byteCount -= texts.removeFirst().utf8.count }
    changeCount += 1
  }

  /// The secrets to remove; nil if there are none.
  var patterns: SecretPatterns? {
    let changeCount = changeCount + (server?.changeCount ?? 0)
    if let known, known.changeCount == changeCount { return known.patterns }
    let texts = texts + (server?.texts ?? [])
    if texts.isEmpty { return nil }
    let patterns = SecretPatterns(texts)
    known = (patterns, changeCount)
    return patterns
  }
}
