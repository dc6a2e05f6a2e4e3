public import BridgeCore
public import BridgeRuntime
import InAppPurchases

/// Connects a launch of OnsideKit to one page (bridge reference, "Configure WKWebView").
///
/// Every function of `window.onside` is a request `onside.<function>`. Callbacks are events of the same form.
///
/// ```swift
/// let host = BridgeHost(hostVersion: "1.0.0")
/// OnsideJS(onside).configure(host: host)
/// ```
@BridgeActor
public final class OnsideJS {
  /// The prefix of the functions' actions.
  public nonisolated static let prefix: StaticString = "onside."

  let onside: Onside
  /// What pages sell through, like every other bridge.
  var store: any InAppStore { onside.store }
  private weak var host: BridgeHost?

  /// Creates the connection to one page.
  public init(_ onside: Onside) {
    self.onside = onside
  }

  /// Handles the calls of `window.onside` and starts sending callbacks. The launch's first page resumes the payment queue.
  public func configure(host: BridgeHost) {
    host.register(family: self)
    open(host: host)
  }

  /// Starts sending callbacks. `host` must already have this object among its families.
  package func open(host: BridgeHost) {
    self.host = host
    onside.pages.attach(self, to: onside.defaultPaymentQueue())
  }

  /// Runs `body` as a call of this page, which then shows the sheets that `body` opens.
  func asAsker(_ body: () -> Void) {
    OnsideLaunch.$asker.withValue(hostID, operation: body)
  }

  /// The page's host; nil if the page has gone.
  var hostID: BridgeHost.ID? { host?.id }

  /// Whether this is the connection to the page of `host`.
  func isOfPage(of host: BridgeHost) -> Bool { self.host === host }

  /// Whether both are connections to the page of the same host.
  func isSamePage(as other: OnsideJS) -> Bool { other.host.map(isOfPage) ?? false }

  /// Queues callbacks for a page of an earlier launch that may come back. When it does, call ``configure(host:)``. Until then this resumes
  /// nothing and answers no question.
  public func expect(host: BridgeHost) {
    self.host = host
    onside.pages.expect(self)
  }

  /// The page has gone: it receives no more callbacks. What it started continues.
  public func detach() {
    onside.pages.detach(self)
    host = nil
  }

  /// Gives the page of a web view `window.onside`, which works for ``Onside/current``.
  ///
  /// Pages of the server already have it; for their hosts this has no effect. A web view without a host gets one.
  public static func configureOnsideForWebView(_ webView: WebView) {
    let onside = Onside.forEntry("OnsideJS.configureOnsideForWebView(_:)")
    let host = webView.attachedHost ?? webView.makeHost()
    if !onside.pages.isAttached(host) { OnsideJS(onside).configure(host: host) }
  }

  // MARK: Callbacks

  /// Sends a callback whose data is the JSON text of an object.
  func send(_ callback: OnsideCallback, text: [UInt8]) {
    host?.send(event: callback.action, text: text)
  }

  func send(_ callback: OnsideCallback, _ data: [String: JSONValue]) {
    host?.send(event: callback.action, data: data)
  }

  /// Asks the page a question, whose data is the JSON text of an object. If the page goes away, fails or does not answer with a boolean, the
  /// answer is true.
  func ask(_ callback: OnsideCallback, text: [UInt8]) async -> Bool {
    guard let answer = await host?.request(action: callback.action, text: text) else { return true }
    return answer.payload.data?["result"]?.boolValue ?? true
  }
}
