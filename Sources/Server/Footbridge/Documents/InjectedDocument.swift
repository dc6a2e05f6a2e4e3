import HTMLInjection
import HTTP1
import WebServer

/// An HTML document with the shim's script tag as the first element of its head.
struct InjectedDocument: FileContent {
  let mediaType: String
  let entityTag: EntityTag?
  let lastModified: HTTPDate?
  private let bytes: [UInt8]

  var byteCount: Int { bytes.count }

  /// Reads the document and inserts the tag. `nonce` belongs to the policy in the fields. `policy` has the sources that policies in the
  /// document itself must allow.
  nonisolated(nonsending) init(
    _ file: any FileContent, _ admitted: AdmittedDocument, nonce: String?, policy: ContentSecurityPolicy?
  ) async throws {
    var injector = HTMLInjector(
      scriptAttributes: ShimScript.attributes(admitted, nonce: nonce),
      contentType: file.mediaType,
      policy: policy
    )
    let document = try await file.read(at: 0, count: file.byteCount)
    bytes = injector.push(document) + injector.finish()
    mediaType = file.mediaType
    entityTag = file.entityTag.flatMap { EntityTag(opaqueTag: "footbridge-" + $0.opaqueTag) }
    lastModified = file.lastModified
  }

  nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8] {
    Array(bytes.dropFirst(offset).prefix(count))
  }
}
