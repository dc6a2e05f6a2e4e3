/// Which servers' certificates a client takes.
public enum HTTPClientTrust: Sendable, Hashable {
  /// Those that an authority of the system's vouches for, for the name that was asked for.
  case system
  /// Of servers on this machine or a private network, whichever they have: development servers sign theirs themselves. Of all others, those
  /// that the system trusts.
  case anyoneNearby
}
