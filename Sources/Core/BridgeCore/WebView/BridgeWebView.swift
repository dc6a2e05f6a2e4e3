public import BridgeRuntime
public import Essentials
public import class Foundation.NSObject

/// Shows a journey in a web view that is attached to a host (GBGBridge reference, "BridgeWebView").
///
/// The original is a SwiftUI view. Here nothing is drawn, so your program does what SwiftUI would do: it calls
/// ``makeWebView(coordinator:)`` once, and ``updateWebView(_:coordinator:)`` after each change of ``url``.
///
/// ```swift
/// let view = BridgeWebView(url: journeyURL, host: host)
/// let coordinator = view.makeCoordinator()
/// let webView = view.makeWebView(coordinator: coordinator)   // keep both
/// ```
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

  /// Creates the navigation delegate of the web view.
  public func makeCoordinator() -> Coordinator { Coordinator() }

  /// Creates the web view, attaches it to the host, and loads the journey. Keep both web view and coordinator: nothing else holds them.
  public func makeWebView(coordinator: Coordinator) -> WebView {
    let webView = BridgeWebViewConfigurator.makeWebView(host: host)
    webView.navigationDelegate = coordinator
    updateWebView(webView, coordinator: coordinator)
    return webView
  }

  /// Loads ``url``, unless it is the address that was loaded last. Compares normalised addresses.
  public func updateWebView(_ webView: WebView, coordinator: Coordinator) {
    let normalized = Self.normalized(url)
    guard normalized != coordinator.loadedURL else { return }
    coordinator.loadedURL = normalized
    webView.load(url)
  }

  /// Normalises an address, so that equal addresses compare equal: scheme and host in lower case, no default port, a path of at least `/`
  /// (RFC 3986, sections 6.2.2.1 and 6.2.3). The reference does not say what it means by normalised.
  private static func normalized(_ url: URL) -> String {
    guard var components = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) else {
      return url.absoluteString
    }
    components.scheme = components.scheme?.lowercased()
    components.host = components.host?.lowercased()
    switch (components.scheme, components.port) {
    case ("https", 443), ("http", 80): components.port = nil
    default: break
    }
    if components.path.isEmpty { components.path = "/" }
    return components.string ?? url.absoluteString
  }
}

extension BridgeWebView {
  /// The navigation delegate of the view's web view. The reference declares it final, but tells apps to subclass it. Here that is possible.
  @BridgeActor
  open class Coordinator: NSObject, WebViewNavigationDelegate {
    /// The normalised address that the view has loaded.
    fileprivate var loadedURL: String?

    /// Creates a coordinator.
    public override nonisolated init() {
      super.init()
    }

    /// For subclasses: the page begins to load its document.
    open func webView(_ webView: WebView, didStartProvisionalNavigation navigation: WebViewNavigation!) {}

    /// For subclasses: the page has loaded its document and is connected.
    open func webView(_ webView: WebView, didFinish navigation: WebViewNavigation!) {}
  }
}

/// Connects a ``WebView`` with a ``BridgeHost`` (GBGBridge reference, "BridgeWebViewConfigurator").
///
/// ```swift
/// let webView = BridgeWebViewConfigurator.makeWebView(host: host)   // keep it: the host holds it weakly
/// ```
@BridgeActor
public struct BridgeWebViewConfigurator {
  /// The channel that pages post to: `window.webkit.messageHandlers.gbgBridge`.
  public nonisolated static let channel = "gbgBridge"

  /// Adds the bootstrap script at document start, opens the channel `gbgBridge` to the host, and attaches the web view, in this order.
  ///
  /// Adds no script if the host's configuration has none. The reference's default script is not published; the shim, which Footbridge adds
  /// to every document, does its work.
  public static func configure(_ webView: WebView, host: BridgeHost) {
    let controller = webView.configuration.userContentController
    if let source = host.configuration.bootstrapScript {
      controller.addUserScript(UserScript(source: source, injectionTime: .atDocumentStart, forMainFrameOnly: true))
    }
    controller.add(host, name: channel)
    host.attach(webView: webView)
  }

  /// Creates a web view and configures it.
  public static func makeWebView(host: BridgeHost) -> WebView {
    let webView = WebView()
    configure(webView, host: host)
    return webView
  }
}
