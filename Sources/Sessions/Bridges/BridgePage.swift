public import BridgeCore
public import BridgeRuntime
public import Essentials

/// A page as bridges see it: one document in one tab, the stand-in for one `WKWebView`.
@BridgeActor
public protocol BridgePage: AnyObject {
  /// The page's name in the control API and the journal, such as `page-1`.
  nonisolated var id: String { get }
  /// Routes the page's messages.
  nonisolated var host: BridgeHost { get }
  /// The document's URL in production, as the server served it; nil if the server has not served it.
  var siteURL: URL? { get }
  /// Why the document is not known to be that of a tab; nil for a main frame. Do not trust messages of other documents.
  var reasonAgainstMainFrame: String? { get }
  /// What the page's browser reports about its camera; nil if it has reported nothing.
  var camera: CameraDetector.Result? { get set }
}
