package import BridgeRuntime
package import Essentials
package import HTTP1
package import HTTPTypes

/// The cookies of one request that is passed on to an upstream, where a bridge keeps some in a jar that no script sees.
@BridgeActor
package protocol SiteCookies: Sendable {
  /// The Cookie field to send upstream in place of the browser's; nil when the jar has no cookie for the request, so that the browser's go
  /// as they are.
  func field(insteadOf browsers: [HTTPField]) -> HTTPField?

  /// Takes a cookie that upstream sets into the jar if it is one of the jar's; false when it is the browser's.
  func take(_ setCookie: HTTPField) -> Bool

  /// Removes the cookies of the jar that are the site's (`Clear-Site-Data`).
  func clear()
}

/// A bridge that keeps cookies of the site.
@BridgeActor
package protocol CookieKeepingBridge: SessionBridge {
  /// The session's cookies at a request that is passed on. `siteURL` is the one that it would have in production.
  func siteCookies(for head: RequestHead, at siteURL: URL) -> any SiteCookies
}

extension Session {
  /// The session's cookies at a request that is passed on; nil when no bridge keeps any. `siteURL` is the one that it would have in
  /// production.
  package func siteCookies(for head: RequestHead, at siteURL: URL) -> (any SiteCookies)? {
    for case let bridge as any CookieKeepingBridge in bridges { return bridge.siteCookies(for: head, at: siteURL) }
    return nil
  }
}
