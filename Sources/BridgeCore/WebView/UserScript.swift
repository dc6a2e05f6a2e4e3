/// A script that is put into every document: the stand-in for `WKUserScript`.
public struct UserScript: Sendable, Hashable {
  /// When a script runs.
  public enum InjectionTime: Sendable, Hashable {
    /// Before anything of the document's own.
    case atDocumentStart
    /// When the document was read.
    case atDocumentEnd
  }

  /// The script's text.
  public let source: String
  /// When it runs.
  public let injectionTime: InjectionTime
  /// Whether frames inside the document do without it.
  public let isForMainFrameOnly: Bool

  /// Creates a script.
  public init(source: String, injectionTime: InjectionTime, forMainFrameOnly: Bool) {
    self.source = source
    self.injectionTime = injectionTime
    isForMainFrameOnly = forMainFrameOnly
  }
}
