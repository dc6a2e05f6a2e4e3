/// What a document may have.
public enum TrustDecision: Sendable, Hashable {
  /// A sub-frame: nothing; every call is answered with `undefined`.
  case subframe
  /// A main frame that is no trusted surface.
  case untrusted
  /// A trusted surface, but in clear text: no secrets.
  case cleartext
  /// A trusted surface over HTTPS: bearer and session.
  case trusted
}
