import HTTP1
import HTTPTypes
import WebServer

/// What changes in an upstream's response when the shim goes into its body.
struct InjectedResponse {
  /// How the browser wants the response.
  let requested: RequestedDocument

  /// Whether the shim goes into the body of a response with this head.
  ///
  /// It goes into HTML that becomes a document, as far as it can be read; not into what is to be saved as a file.
  func isInjected(_ head: ResponseHead) -> Bool {
    requested.isInjected && isDocument(head) && isReadable(head)
  }

  /// Whether it is for the body to say that it is HTML, since the head does not (MIME Sniffing Standard, section 7).
  func mustBeSniffed(_ head: ResponseHead) -> Bool {
    let types = ["", "*/*", "unknown/unknown", "application/unknown"]
    let type = head.fields[values: .contentType].last?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    let isSilenced = head.fields[.xContentTypeOptions]?.lowercased().hasPrefix("nosniff") ?? false
    return requested.isInjected && (types.contains(type) || !type.utf8.contains(UInt8(ascii: "/"))) && !isSilenced
      && !isAttachment(head) && isReadable(head) && head.bodyFraming != .none && head.status != .partialContent
  }

  /// Whether the response would be injected were it not encoded, which the upstream was asked not to do.
  func isUnreadableDocument(_ head: ResponseHead) -> Bool {
    requested.isInjected && isDocument(head) && !isReadable(head)
  }

  /// The fields of a response that stays as it is. Of a document, browsers may keep what script fetches, but not for when they go there.
  func unchanged(_ fields: HTTPFields, of head: ResponseHead) -> HTTPFields {
    guard isDocument(head) else { return fields }
    var fields = fields
    fields.append(HTTPField(name: .vary, value: "Sec-Fetch-Dest"))
    return fields
  }

  /// The fields of the response with what speaks of the body as the upstream sent it mended.
  ///
  /// The length is not known beforehand, and ranges would count other bytes. Browsers get no validator, and may not store the document:
  /// each one carries a ticket that is good once. Others get an entity tag that tells it from the upstream's.
  func mended(_ fields: HTTPFields) -> HTTPFields {
    var fields = fields.filter { field in
      switch field.name {
      case .contentLength, .acceptRanges, .contentDigest, .reprDigest, .contentMD5: false
      case .eTag, .lastModified, .cacheControl, .expires: !requested.isByBrowser
      default: true
      }
    }
    if requested.isByBrowser { fields.append(HTTPField(name: .cacheControl, value: "no-store")) }
    if let tag = fields[.eTag].flatMap({ EntityTag($0) }) {
      fields[.eTag] = EntityTag(opaqueTag: "footbridge-" + tag.opaqueTag, isWeak: tag.isWeak)?.description
    }
    return fields
  }

  private func isDocument(_ head: ResponseHead) -> Bool {
    guard let type = head.fields[values: .contentType].last, MediaType.isHTML(type) else { return false }
    return !isAttachment(head)
  }

  private func isAttachment(_ head: ResponseHead) -> Bool {
    head.fields[.contentDisposition]?.lowercased().hasPrefix("attachment") ?? false
  }

  private func isReadable(_ head: ResponseHead) -> Bool {
    head.fields.tokens(of: .contentEncoding).allSatisfy { $0.lowercased() == "identity" }
  }
}
