// `import GBGBridge` gives host code for iOS the types of the framework, and the names that it uses from WebKit.
//
// The names of WebKit stand for types of BridgeCore. In each file that imports this module, `MainActor` stands for `BridgeActor`: on iOS the
// framework belongs to the main actor, here to the thread of the server's event loop. So code marked `@MainActor` runs on the thread that owns
// the bridge, and calls it without `await`. The alternatives are worse: if the bridge belonged to the real main actor, the server could not run
// on its own thread; if host code stayed on the real main actor, each call would need an `await` and a change of thread.

@_exported public import BridgeCore
@_exported public import BridgeRuntime
@_exported public import Foundation

/// The actor that host code runs on: `BridgeActor`. For the main actor of the process, write `_Concurrency.MainActor`.
///
/// ```swift
/// @MainActor
/// func cancelCapture(of host: BridgeHost) {
///   host.documentCapture.complete(.cancelled(reason: "User dismissed"))  // no `await`
/// }
/// ```
public typealias MainActor = BridgeActor

/// One navigation of a web view.
public typealias WKNavigation = WebViewNavigation
/// Receives the navigation events of a web view.
public typealias WKNavigationDelegate = WebViewNavigationDelegate
/// A message that a page has posted to a channel.
public typealias WKScriptMessage = ScriptMessage
/// Receives what a page posts to a channel.
public typealias WKScriptMessageHandler = ScriptMessageHandler
/// The scripts and channels of a page.
public typealias WKUserContentController = UserContentController
/// A script that runs in every document, at document start.
public typealias WKUserScript = UserScript
/// When a script runs.
public typealias WKUserScriptInjectionTime = UserScript.InjectionTime
/// Shows a page.
///
/// ```swift
/// let webView = BridgeWebViewConfigurator.makeWebView(host: host)
/// webView.load(URLRequest(url: journeyURL))
/// ```
public typealias WKWebView = WebView
/// The configuration of a web view.
public typealias WKWebViewConfiguration = WebViewConfiguration

#if !canImport(Combine)
  /// An object that views observe. Stands in for Combine's protocol. There are no views here, so it has no requirements.
  public protocol ObservableObject: AnyObject {}

  extension BridgeHost: ObservableObject {}
  extension CaptureCapability: ObservableObject {}

  /// A property that views observe. Stands in for Combine's property wrapper. It stores the value, and publishes no changes.
  @propertyWrapper
  public struct Published<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates the property.
    public init(wrappedValue: Value) {
      self.wrappedValue = wrappedValue
    }
  }

  extension Published: Sendable where Value: Sendable {}
#endif

#if canImport(FoundationNetworking)
  /// A request to load a page. Stands in for Foundation's type, which on Linux comes with a network library that is not needed here.
  public struct URLRequest: Sendable, Hashable {
    /// The address.
    public var url: URL?

    /// Creates a request.
    public init(url: URL) {
      self.url = url
    }
  }
#endif

extension WebView {
  /// Loads the address of a request, as ``load(_:)-(URL)`` does. Does nothing if the request has none.
  @discardableResult
  public func load(_ request: URLRequest) -> WebViewNavigation? {
    request.url.flatMap { load($0) }
  }
}
