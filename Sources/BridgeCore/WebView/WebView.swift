public import BridgeRuntime
public import Foundation

/// What shows the page: the stand-in for `WKWebView`. A ``BridgeHost`` hands it the messages for the page.
///
/// The class itself shows nothing; a subclass knows where its page is.
@BridgeActor
open class WebView {
  /// What the page finds when it starts.
  public let configuration: WebViewConfiguration
  /// The address that was loaded last; nil before.
  public private(set) var url: URL?
  /// Hears of what is loaded.
  public weak var navigationDelegate: (any WebViewNavigationDelegate)?

  /// Creates a web view that shows nothing: messages handed to it go nowhere.
  public init(configuration: WebViewConfiguration = WebViewConfiguration()) {
    self.configuration = configuration
  }

  /// Goes to `url`. A subclass calls this and brings its page there.
  open func load(_ url: URL) {
    self.url = url
    navigationDelegate?.webView(self, didStartLoading: url)
  }

  /// Takes a message to the page. `sequenced` messages (events, and requests from host to page) keep their order and survive a lost
  /// connection; responses are joined to their requests instead.
  open func deliver(_ message: BridgeMessage, sequenced: Bool) {}

  /// Takes the answer to a request of the page to it: by default as the message that it is. Ours.
  open func deliver(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: TimeInterval) {
    deliver(BridgeMessage(answer, to: request, timestamp: timestamp), sequenced: false)
  }

  /// Has `handle` do with a message of the page what is to be done, unless a host can answer it at once. A subclass knows what is true
  /// meanwhile. Ours.
  open func handling(_ message: BridgeMessage, _ handle: () -> Void) {
    handle()
  }
}
