import BridgeCore

/// Redirects of the site to addresses that no browser loads, such as `myapp://callback`. On a device, WebKit asks native about them, and the
/// document stays.
extension Session {
  /// A navigation that the site redirects.
  package struct RedirectedNavigation: Sendable {
    /// The address that the site names.
    package let url: String
    /// Whether the navigation is of a frame; nil if the browser does not say it.
    package let isFrame: Bool?
    /// The address of the document that navigates, without its query; nil if the browser does not say it.
    package let referrer: String?

    /// Describes a redirect to this address.
    package init(to url: String, isFrame: Bool?, referrer: String?) {
      self.url = url
      self.isFrame = isFrame
      self.referrer = referrer
    }
  }

  /// Hands a redirect to the adapters of the page in the tab.
  ///
  /// A request does not say which tab it is from. If the session has several, and the referrer does not tell, each page gets the redirect, and
  /// takes it if it is about to load another document. For a frame, the page that was active last gets it.
  ///
  /// - Returns: Whether there is such a page. If not, the browser gets the redirect.
  package func handOver(_ redirected: RedirectedNavigation) async -> Bool {
    guard bridgeTable.takesNavigations else { return false }
    // The page that navigates may not have connected yet.
    await arrivals.settled()
    var pages = sessionPages.open.filter { $0.reasonAgainstMainFrame == nil }
    if pages.isEmpty { return false }
    let referring = pages.filter { $0.document?.url == redirected.referrer }
    if referring.count == 1 { pages = referring }
    if redirected.isFrame == true, let latest = pages.max(by: { $0.lastActivity < $1.lastActivity }) {
      pages = [latest]
    }
    for page in pages {
      journal.append(
        .page, page: page.id, action: "redirected", data: ["url": .string(Page.publicAddress(redirected.url))])
      var data: [String: JSONValue] = ["url": .string(redirected.url), "isOnly": .bool(pages.count == 1)]
      data["frame"] = redirected.isFrame.map { .bool($0) }
      page.host.send(event: FootbridgeAction.redirected, data: data)
    }
    return true
  }
}
