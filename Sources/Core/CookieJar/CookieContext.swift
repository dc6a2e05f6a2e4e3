/// Where a request comes from. The caller determines this; the jar does not check it.
public struct CookieContext: Sendable, Hashable {
  /// Whether this is an HTTP request or response. False for scripts, which can neither read nor set HttpOnly cookies.
  public var isHTTP: Bool
  /// Whether the request is same-site (RFC 6265bis, section 5.2).
  public var isSameSite: Bool
  /// Whether the request is a top-level navigation.
  public var isTopLevelNavigation: Bool
  /// Whether the request's method is safe: GET, HEAD, OPTIONS or TRACE (RFC 9110, section 9.2.1).
  public var isSafeMethod: Bool

  /// Creates a context, by default that of a same-site HTTP request.
  public init(
    isHTTP: Bool = true,
    isSameSite: Bool = true,
    isTopLevelNavigation: Bool = false,
    isSafeMethod: Bool = true
  ) {
    self.isHTTP = isHTTP
    self.isSameSite = isSameSite
    self.isTopLevelNavigation = isTopLevelNavigation
    self.isSafeMethod = isSafeMethod
  }

  /// A same-site HTTP request.
  public static let sameSite = CookieContext()
  /// A cross-site HTTP request that is not a navigation, such as that of an image.
  public static let crossSite = CookieContext(isSameSite: false)
  /// A script of the same site that uses `document.cookie`.
  public static let script = CookieContext(isHTTP: false)

  /// Whether a response may set a cookie with this attribute (section 5.7).
  func allowsSetting(_ sameSite: SameSite) -> Bool {
    sameSite == .none || isSameSite || (isHTTP && isTopLevelNavigation)
  }

  /// Whether a request carries a cookie with this attribute (section 5.8.3). The optional exception for unsafe methods
  /// within two minutes ("Lax-allowing-unsafe") is not implemented.
  func allowsSending(_ sameSite: SameSite) -> Bool {
    switch sameSite {
    case .none: true
    case .strict: isSameSite
    case .lax, .unspecified: isSameSite || (isHTTP && isTopLevelNavigation && isSafeMethod)
    }
  }
}
