public import BridgeRuntime
public import Essentials
public import struct Foundation.CGRect

/// Shows a page. Stands in for `WKWebView`: a ``BridgeHost`` sends its messages to the page through it.
///
/// The class itself draws nothing. In the server, a subclass represents each page in a browser. A web view that an app makes passes on to
/// the page that its host serves.
@BridgeActor
open class WebView {
  /// The scripts and channels of the page.
  public let configuration: WebViewConfiguration
  /// The address that was loaded last; nil before.
  public private(set) var url: URL?
  /// Receives the web view's navigation events.
  public weak var navigationDelegate: (any WebViewNavigationDelegate)?
  /// The host that the web view is attached to.
  package internal(set) weak var attachedHost: BridgeHost?
  /// A host of the web view's own, made because it had none.
  private var ownHost: BridgeHost?

  /// Creates a web view that has no page: messages for it are dropped.
  ///
  /// - Parameters:
  ///   - frame: Ignored, since nothing is drawn. It is there for host code that has one.
  ///   - configuration: The scripts and channels of the page.
  public init(frame: CGRect = .zero, configuration: WebViewConfiguration = WebViewConfiguration()) {
    self.configuration = configuration
  }

  /// Loads an address. If the attached host serves a page, that page navigates there. A subclass with a page overrides this.
  @discardableResult
  open func load(_ url: URL) -> WebViewNavigation? {
    let navigation = WebViewNavigation()
    self.url = url
    navigationDelegate?.webView(self, didStartProvisionalNavigation: navigation)
    attachedHost?.servedWebView?.load(url)
    return navigation
  }

  /// Sends a message to the page.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - sequenced: Whether the message keeps its position among others and survives a lost connection: true for events and for
  ///     requests to the page. False for a response, which the page matches to its request by the correlation id.
  open func deliver(_ message: BridgeMessage, sequenced: Bool) {}

  /// Sends the answer to a request of the page; by default as a message. Not in the reference.
  open func deliver(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: TimeInterval) {
    deliver(BridgeMessage(answer, to: request, timestamp: timestamp), sequenced: false)
  }

  /// Called with a request of the page that nothing handles. It waits in ``BridgeHost/pendingRequests``. Not in the reference.
  open func unhandled(_ request: BridgeMessage) {}

  /// Creates a host for a web view that has none, and keeps it.
  package func makeHost() -> BridgeHost {
    let host = BridgeHost(hostVersion: "1.0")
    ownHost = host
    BridgeWebViewConfigurator.configure(self, host: host)
    return host
  }

  /// Tells the web view that its page has loaded the document from `url`.
  package func finishLoading(_ url: URL?) {
    if let url { self.url = url }
    navigationDelegate?.webView(self, didFinish: WebViewNavigation())
  }
}

/// The configuration of a ``WebView``. Stands in for `WKWebViewConfiguration`.
@BridgeActor
public final class WebViewConfiguration {
  /// The scripts and the channels of the page.
  public var userContentController: UserContentController

  /// Creates a configuration.
  public init(userContentController: UserContentController = UserContentController()) {
    self.userContentController = userContentController
  }
}

/// One navigation of a web view: the loading of a document. Stands in for `WKNavigation`.
@BridgeActor
public final class WebViewNavigation {
  init() {}
}

/// Receives the navigation events of a ``WebView``: those of `WKNavigationDelegate` that a page in a browser has.
///
/// The parameters are implicitly unwrapped, as in WebKit. With another type, an app's method would not implement the requirement, and Swift
/// would call the default one.
@BridgeActor
public protocol WebViewNavigationDelegate: AnyObject {
  /// The web view has begun to load the address in ``WebView/url``.
  func webView(_ webView: WebView, didStartProvisionalNavigation navigation: WebViewNavigation!)

  /// The page has loaded its document and is connected.
  func webView(_ webView: WebView, didFinish navigation: WebViewNavigation!)
}

/// A delegate leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WebViewNavigationDelegate {
  public func webView(_ webView: WebView, didStartProvisionalNavigation navigation: WebViewNavigation!) {}

  public func webView(_ webView: WebView, didFinish navigation: WebViewNavigation!) {}
}
