package import BridgeRuntime

/// The secrets that a session, or the server, has issued or got: tokens, the values of cookies. The journal leaves them out wherever a page
/// repeats them, whatever it calls them.
///
/// Nothing is searched when a message comes, only when someone reads the journal: then every secret is known that had been issued by then, and a
/// message costs nothing.
@BridgeActor
package final class IssuedSecrets {
  /// How long a secret is at least, in bytes: shorter ones are in many words.
  static let byteMinimum = 8
  /// How many are remembered, and how many bytes they may have together. The oldest go first.
  static let countLimit = 500
  static let byteLimit = 512 << 10

  /// Those of the server, for all of its sessions.
  var server: IssuedSecrets?

  private var texts: [String] = []
  private var byteCount = 0
  private var changeCount = 0
  private var known: (patterns: SecretPatterns, changeCount: Int)?

  /// Nothing is left out.
  package init() {}

  /// Leaves a secret out from now on, and out of what is in the journal already.
  package func remember(_ secret: Secret) {
    let text = secret.reveal()
    guard text.utf8.count >= Self.byteMinimum, text.utf8.count <= Self.byteLimit, !texts.contains(text) else { return }
    texts.append(text)
    byteCount += text.utf8.count
    while texts.count > Self.countLimit || byteCount > Self.byteLimit { byteCount -= texts.removeFirst().utf8.count }
    changeCount += 1
  }

  /// What is to be left out now; nil for nothing.
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
