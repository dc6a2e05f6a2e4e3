package import HTMLInjection
package import HTTP1
package import WebServer

/// An HTML document with the shim's script tag as the first element of its head.
package struct InjectedDocument: FileContent {
  package let mediaType: String
  package let entityTag: EntityTag?
  package let lastModified: HTTPDate?
  private let bytes: [UInt8]

  package var byteCount: Int { bytes.count }

  /// Reads the document and inserts the tag. `nonce` is that of the tag. `policy` has the sources that policies in the document itself must
  /// allow.
  package nonisolated(nonsending) init(
    _ file: any FileContent, _ admitted: AdmittedDocument, nonce: String, policy: ContentSecurityPolicy?
  ) async throws {
    var injector = HTMLInjector(
      scriptAttributes: admitted.scriptAttributes(nonce: nonce),
      scriptText: admitted.elementText,
      contentType: file.mediaType,
      policy: policy
    )
    let document = try await file.read(at: 0, count: file.byteCount)
    bytes = injector.push(document) + injector.finish()
    mediaType = file.mediaType
    entityTag = file.entityTag.flatMap { EntityTag(opaqueTag: "footbridge-" + $0.opaqueTag) }
    lastModified = file.lastModified
  }

  package nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8] {
    Array(bytes.dropFirst(offset).prefix(count))
  }
}
