public import Essentials

/// The calling document, as the server knows it. No value comes from script.
public struct TodayDocument: Sendable, Hashable {
  /// The document's URL in production.
  public var siteURL: URL
  /// The kind of frame that shows the document.
  public var frame: FrameKind

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - siteURL: The document's URL in production.
  ///   - frame: The kind of frame that shows it.
  public init(siteURL: URL, frame: FrameKind) {
    self.siteURL = siteURL
    self.frame = frame
  }
}

/// The kind of frame that shows a document, as the server knows it from serving the document.
public enum FrameKind: String, Sendable, Hashable {
  /// The page's main frame.
  case main
  /// A frame with the same origin as its parent page. It is treated like any other frame, since only the main document
  /// gets tokens.
  case sameOriginSubframe
  /// A frame with another origin than its parent page.
  case crossOriginSubframe
}
