public import BridgeCore
public import BridgeRuntime
public import Essentials

/// A page, as bridges see it: one document in one tab, the stand-in for one `WKWebView`.
@BridgeActor
public protocol BridgePage: AnyObject {
  /// What the control API and the journal call the page, such as `page-1`.
  nonisolated var id: String { get }
  /// Routes the page's messages.
  nonisolated var host: BridgeHost { get }
  /// The document's URL as it would be in production, as the server served it; nil when the server has not served it.
  var siteURL: URL? { get }
  /// Why the document is not known to be that of a tab; nil for a main frame. Messages of other documents deserve no trust.
  var reasonAgainstMainFrame: String? { get }
  /// What the page's browser says of its camera; nil while it has said nothing.
  var camera: CameraDetector.Result? { get set }
}
