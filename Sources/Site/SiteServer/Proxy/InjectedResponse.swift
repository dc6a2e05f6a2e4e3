import ContentDecoding
import HTMLInjection
import HTTP1
import HTTPTypes
import WebServer

/// The changes to an upstream's response when the shim goes into its body.
struct InjectedResponse {
  /// The kind of the request, which tells how the browser will use the response.
  private let requested: RequestedDocument
  private let head: ResponseHead
  /// The media type in the head; empty if there is none.
  private let contentType: String
  /// Whether the head says that the body is HTML, and not a download.
  private let isDocument: Bool
  private let isAttachment: Bool
  /// The content codings of the body, in the order in which they were applied.
  private let codings: [String]

  /// Looks at the head of a response.
  init(_ head: ResponseHead, requested: RequestedDocument) {
    self.requested = requested
    self.head = head
    contentType = head.fields.last { $0.name == .contentType }?.value ?? ""
    isAttachment = head.fields.value(of: .contentDisposition).map { Self.isAttachment($0) } ?? false
    // 205 has no body, whatever its fields say (RFC 9110, section 15.3.6).
    isDocument = HTMLMediaType.isHTML(contentType) && !isAttachment && head.status != .resetContent
    codings = head.fields.tokens(of: .contentEncoding).map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// Whether a browser downloads a body with this `Content-Disposition`. It does for every type except `inline`, also for unknown types
  /// (RFC 6266, section 4.2).
  private static func isAttachment(_ disposition: String) -> Bool {
    let type = disposition.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    return !type.isEmpty && type != "inline" && !type.contains("=")
  }

  /// The decoder of the body; nil for a body without codings, or with an unknown one.
  var decoder: ContentDecoder? {
    codings.isEmpty ? nil : ContentDecoder(codings: codings, byteLimit: UpstreamBody.decodedByteLimit)
  }

  /// Whether the body can be read.
  var isReadable: Bool { codings.isEmpty || decoder != nil }

  /// Whether the shim is put into the body.
  ///
  /// It is put into HTML that becomes a document and can be read. It is not put into downloads.
  var isInjected: Bool { requested.isInjected && isDocument && isReadable }

  /// Whether the body must be sniffed for HTML, because the head has no media type (MIME Sniffing Standard, section 7).
  var mustBeSniffed: Bool {
    guard requested.isInjected, !isDocument, !isAttachment, codings.isEmpty, head.bodyFraming != .none,
      head.status != .partialContent, head.status != .resetContent
    else { return false }
    let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
    let isUnknown =
      ["", "*/*", "unknown/unknown", "application/unknown"].contains(type) || !type.utf8.contains(UInt8(ascii: "/"))
    return isUnknown && head.fields[.xContentTypeOptions]?.lowercased().hasPrefix("nosniff") != true
  }

  /// Whether the body would get the shim, but has a content coding that the request had excluded.
  var isUnreadableDocument: Bool { requested.isInjected && isDocument && !isReadable }

  /// The fields of a response without the shim. A browser may cache a document that a script has fetched, but not use it for navigations.
  func unchanged(_ fields: [HTTPField]) -> HTTPFields {
    HTTPFields(
      inOrder: isDocument && requested.varies
        ? fields + [HTTPField(name: .vary, value: RequestedDocument.vary)] : fields)
  }

  /// The trailers of a response with the shim.
  static func mendedTrailers(_ trailers: HTTPFields) -> HTTPFields {
    if trailers.isEmpty { return trailers }
    return HTTPFields(
      inOrder: trailers.filter { !HTTPField.Name.aboutBody.contains($0.name) && $0.name != .eTag })
  }

  /// The fields of a response with the shim: those that describe the upstream's body are corrected.
  ///
  /// The length is not known in advance, and ranges would count other bytes. Browsers get no validator and load the document anew, unless they go
  /// back to it: its ticket works for one page at a time. Other clients get an entity tag that differs from the upstream's.
  func mended(_ fields: [HTTPField]) -> HTTPFields {
    var remaining = fields.filter { field in
      switch field.name {
      case .contentEncoding, .useAsDictionary, .noVarySearch: false
      case let name where HTTPField.Name.aboutBody.contains(name): false
      case .eTag, .lastModified, .cacheControl, .expires: !requested.isByBrowser
      default: true
      }
    }
    if requested.isByBrowser {
      let mayBeCached = !head.fields.tokens(of: .cacheControl).contains { $0.lowercased() == "no-store" }
      remaining.append(HTTPField(name: .cacheControl, value: mayBeCached ? RequestedDocument.caching : "no-store"))
    }
    var fields = HTTPFields(inOrder: remaining)
    if let tag = fields.value(of: .eTag).flatMap({ EntityTag($0) }) {
      fields[.eTag] = EntityTag(opaqueTag: "footbridge-" + tag.opaqueTag, isWeak: tag.isWeak)?.description
    }
    return fields
  }
}
