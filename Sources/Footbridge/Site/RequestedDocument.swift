import HTTP1
import HTTPTypes

/// What a browser will do with an answer, as its fetch metadata says, which scripts cannot set.
struct RequestedDocument {
  /// Whether the request has fetch metadata, which every browser sends.
  let isByBrowser: Bool
  /// Whether the answer becomes the document of a tab.
  let isMainFrame: Bool
  /// Whether the answer becomes the document of a tab or a frame, whatever its type.
  let isNavigation: Bool
  /// Whether the shim belongs into the answer if that is HTML: it becomes a document. A fragment that a script fetches does not.
  let isInjected: Bool

  private static let destinationName = HTTPField.Name("Sec-Fetch-Dest")

  init(_ head: RequestHead) {
    guard let destination = Self.destinationName.flatMap({ head.fields.value(of: $0) }) else {
      let types = head.fields.tokens(of: .accept).map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
      isByBrowser = false
      isMainFrame = false
      isNavigation = types.contains("text/html")
      isInjected =
        types.isEmpty || types.contains { ["text/html", "application/xhtml+xml", "text/*", "*/*"].contains($0) }
      return
    }
    isByBrowser = true
    isMainFrame = destination == "document"
    isNavigation = ["document", "iframe", "frame"].contains(destination)
    isInjected = isNavigation || ["embed", "object"].contains(destination)
  }
}
