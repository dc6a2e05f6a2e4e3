import HTMLInjection
import HTTP1
import HTTPTypes
import WebServer

/// What changes in an upstream's response when the shim goes into its body.
struct InjectedResponse {
  /// How the browser wants the response.
  private let requested: RequestedDocument
  private let head: ResponseHead
  /// What the head says that the body is; empty when it does not say.
  private let contentType: String
  /// Whether the head says that the body is HTML, and not to be saved as a file.
  private let isDocument: Bool
  private let isAttachment: Bool
  private let isReadable: Bool

  /// Looks at the head of a response.
  init(_ head: ResponseHead, requested: RequestedDocument) {
    self.requested = requested
    self.head = head
    contentType = head.fields.last { $0.name == .contentType }?.value ?? ""
    isAttachment = head.fields.value(of: .contentDisposition)?.lowercased().hasPrefix("attachment") ?? false
    // 205 has a body of no bytes, whatever it is said to be (RFC 9110, section 15.3.6).
    isDocument = HTMLMediaType.isHTML(contentType) && !isAttachment && head.status != .resetContent
    isReadable = head.fields.tokens(of: .contentEncoding).allSatisfy { $0.lowercased() == "identity" }
  }

  /// Whether the shim goes into the body.
  ///
  /// It goes into HTML that becomes a document, as far as it can be read; not into what is to be saved as a file.
  var isInjected: Bool { requested.isInjected && isDocument && isReadable }

  /// Whether it is for the body to say that it is HTML, since the head does not (MIME Sniffing Standard, section 7).
  var mustBeSniffed: Bool {
    guard requested.isInjected, !isDocument, !isAttachment, isReadable, head.bodyFraming != .none,
      head.status != .partialContent, head.status != .resetContent
    else { return false }
    let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
    let isUnknown =
      ["", "*/*", "unknown/unknown", "application/unknown"].contains(type) || !type.utf8.contains(UInt8(ascii: "/"))
    return isUnknown && head.fields[.xContentTypeOptions]?.lowercased().hasPrefix("nosniff") != true
  }

  /// Whether the response would be injected were it not encoded, which the upstream was asked not to do.
  var isUnreadableDocument: Bool { requested.isInjected && isDocument && !isReadable }

  /// The fields of a response that stays as it is. Of a document, browsers may keep what script fetches, but not for when they go there.
  func unchanged(_ fields: [HTTPField]) -> HTTPFields {
    HTTPFields(inOrder: isDocument ? fields + [HTTPField(name: .vary, value: "Sec-Fetch-Dest")] : fields)
  }

  /// The fields of the response with what speaks of the body as the upstream sent it mended.
  ///
  /// The length is not known beforehand, and ranges would count other bytes. Browsers get no validator, and may not store the document:
  /// each one carries a ticket that is good once. Others get an entity tag that tells it from the upstream's.
  func mended(_ fields: [HTTPField]) -> HTTPFields {
    var kept = fields.filter { field in
      switch field.name {
      case .contentLength, .acceptRanges, .contentDigest, .reprDigest, .contentMD5, .digest: false
      case .eTag, .lastModified, .cacheControl, .expires: !requested.isByBrowser
      default: true
      }
    }
    if requested.isByBrowser { kept.append(HTTPField(name: .cacheControl, value: "no-store")) }
    var fields = HTTPFields(inOrder: kept)
    if let tag = fields.value(of: .eTag).flatMap({ EntityTag($0) }) {
      fields[.eTag] = EntityTag(opaqueTag: "footbridge-" + tag.opaqueTag, isWeak: tag.isWeak)?.description
    }
    return fields
  }
}
