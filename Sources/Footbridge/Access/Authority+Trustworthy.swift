import HTTP1

extension Authority {
  /// Whether browsers hold this host to be as safe over http as over https (Secure Contexts, section 3.1): it is this machine.
  var isTrustworthy: Bool { isLoopback || host.hasSuffix(".localhost") }
}
