package import BridgeRuntime
package import Essentials
package import HTTP1
package import HTTPTypes

/// The cookies of one request to an upstream, for a bridge that keeps some of them in a jar hidden from scripts.
@BridgeActor
package protocol SiteCookies: Sendable {
  /// The Cookie field that replaces the browser's. Nil if the jar has no cookie for the request; the browser's field then stays.
  func field(insteadOf browsers: [HTTPField]) -> HTTPField?

  /// Stores a cookie from the upstream if it belongs into the jar. Returns false if it belongs to the browser.
  func take(_ setCookie: HTTPField) -> Bool

  /// Removes the site's cookies from the jar (`Clear-Site-Data`).
  func clear()
}

extension Session {
  /// The session's cookies for a request to an upstream; nil if no bridge keeps any. `siteURL` is the request's URL in production.
  package func siteCookies(for head: RequestHead, at siteURL: URL) -> (any SiteCookies)? {
    launch.siteCookies?(head, siteURL)
  }
}

extension SessionContext {
  /// Keeps cookies of the site in the bridge: `cookies` returns those for a request to an upstream. `siteURL` is the request's URL in production.
  package func storeSiteCookies(
    _ cookies: @escaping @BridgeActor (_ head: RequestHead, _ siteURL: URL) -> any SiteCookies
  ) {
    launch.siteCookies = cookies
  }
}
