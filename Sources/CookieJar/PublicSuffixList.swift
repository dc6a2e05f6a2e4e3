import CPublicSuffix

/// The Public Suffix List (publicsuffix.org) that libpsl was built with; the system's package keeps it up to date.
enum PublicSuffixList {
  /// Whether `domain` is a public suffix, ICANN's or private, such as `co.uk` or `github.io`. A name without a dot always is.
  ///
  /// `domain` is lower-case, in ASCII (A-labels). The dot that a fully qualified name may end in does not matter.
  static func contains(_ domain: String) -> Bool {
    let name = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
    // Without a list compiled in, libpsl calls everything a public suffix: then no cookie spreads over a domain.
    return psl_is_public_suffix(psl_builtin(), name) != 0
  }
}
