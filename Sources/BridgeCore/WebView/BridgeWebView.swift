public import BridgeRuntime
public import Foundation

/// Shows a journey in a web view that is joined to a host (GBGBridge reference, "BridgeWebView").
///
/// A SwiftUI view in the original. Here nothing draws it: what SwiftUI would call, the owner calls, ``makeWebView(coordinator:)`` once and
/// ``updateWebView(_:coordinator:)`` after each change.
@BridgeActor
public struct BridgeWebView {
  /// The journey's address.
  public var url: URL
  /// Routes the journey's messages.
  public var host: BridgeHost

  /// Creates a view of `url`.
  public init(url: URL, host: BridgeHost) {
    self.url = url
    self.host = host
  }

  /// Creates what listens to the web view's navigation.
  public func makeCoordinator() -> Coordinator { Coordinator() }

  /// Creates the web view, joins it to the host, and loads the journey. The caller keeps both web view and coordinator.
  public func makeWebView(coordinator: Coordinator) -> WebView {
    let webView = BridgeWebViewConfigurator.makeWebView(host: host)
    webView.navigationDelegate = coordinator
    updateWebView(webView, coordinator: coordinator)
    return webView
  }

  /// Goes to ``url`` if it differs, normalised, from what was gone to before.
  public func updateWebView(_ webView: WebView, coordinator: Coordinator) {
    let normalized = url.normalized
    guard normalized != coordinator.loadedURL else { return }
    coordinator.loadedURL = normalized
    webView.load(url)
  }
}

extension BridgeWebView {
  /// The navigation delegate of the view's web view. Open, because the reference invites to subclass it (and calls it final, too).
  @BridgeActor
  open class Coordinator: NSObject, WebViewNavigationDelegate {
    /// The normalised address that the view has gone to.
    fileprivate var loadedURL: String?

    /// Creates a coordinator.
    public override nonisolated init() {
      super.init()
    }

    /// Does nothing.
    open func webView(_ webView: WebView, didStartLoading url: URL) {}
  }
}
