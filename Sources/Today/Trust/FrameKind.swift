/// Where a document is shown, as the server knows it from serving the document.
public enum FrameKind: String, Sendable, Hashable {
  /// The page's main frame.
  case main
  /// A frame of the same origin as the page around it. Treated as any other: tokens are for the main document alone.
  case sameOriginSubframe
  /// A frame of another origin than the page around it.
  case crossOriginSubframe
}
