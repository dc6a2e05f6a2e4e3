public import Foundation

/// The document that calls, as the server knows it; nothing in here comes from script.
public struct TodayDocument: Sendable, Hashable {
  /// The document's URL at the site: the one that it has in production.
  public var siteURL: URL
  /// Where the document is shown.
  public var frame: FrameKind

  /// Describes a document.
  public init(siteURL: URL, frame: FrameKind) {
    self.siteURL = siteURL
    self.frame = frame
  }
}
