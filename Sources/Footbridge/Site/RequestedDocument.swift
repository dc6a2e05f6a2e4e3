import HTTP1
import HTTPTypes

/// How a browser wants what it asks for, from the fetch metadata that script cannot set.
struct RequestedDocument {
  /// Whether the request comes with fetch metadata, as every browser's does.
  let isByBrowser: Bool
  /// Whether the answer becomes the document of a tab.
  let isMainFrame: Bool
  /// Whether the answer becomes the document of a tab or a frame, whatever it is.
  let isNavigation: Bool
  /// Whether the answer, if it is HTML, becomes a document, so that the shim belongs into it; a fragment that script fetches does not.
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
