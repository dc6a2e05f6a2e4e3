public import BridgeRuntime

/// The messages that a page has posted without an answer in between, such as those of one turn of its event loop. On a device they reach the
/// app together, so those that need a new token share one refresh, even if the last of them arrives after its end.
@BridgeActor
public final class TodayTurn {
  private var outcome: Result<AccessToken, TokenError>?

  /// A turn with no message so far.
  public nonisolated init() {}

  /// Gets a new token, shared with all callers of the turn, and with all that ask for one until it arrives.
  func refresh(_ tokens: TokenStore, _ joiner: @escaping TokenStore.Joiner) {
    if let outcome, isPresent(outcome, in: tokens) { return joiner(outcome) }
    tokens.refreshCoalesced { [self] in
      outcome = $0
      joiner($0)
    }
  }

  /// Whether nothing has replaced what the turn has got.
  private func isPresent(_ outcome: Result<AccessToken, TokenError>, in tokens: TokenStore) -> Bool {
    switch outcome {
    case .success(let token): tokens.isSignedIn && tokens.heldToken == token
    case .failure: true
    }
  }
}
