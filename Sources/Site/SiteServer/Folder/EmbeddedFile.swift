import CZlib
package import HTTP1
package import Sessions
import WebFiles
package import WebServer

/// A file of `web/`, embedded into the executable.
package struct EmbeddedFile: FileContent {
  /// The path below `web/`.
  let path: String
  package let mediaType: String
  package let lastModified: HTTPDate? = nil
  package let encodedCopies: [ContentCoding: any FileContent]
  /// The bytes in the executable; nil for a file that the server makes. A start copies none of them, and most are never asked for.
  private nonisolated(unsafe) let embedded: UnsafeBufferPointer<UInt8>?
  /// The bytes of a file that the server makes.
  private let made: [UInt8]
  /// The script as the text of an element in a document; nil if documents have only its address.
  let elementText: [UInt8]?
  /// The entity tag; nil if it is made each time, so that a start does not make those of all files.
  private let storedTag: EntityTag?

  package var bytes: [UInt8] { embedded.map { Array($0) } ?? made }
  package var byteCount: Int { embedded?.count ?? made.count }
  package var entityTag: EntityTag? { storedTag ?? embedded.flatMap { Self.tag(of: $0) } }

  /// The icon of an app; nil if it has none.
  package init?(iconOf app: AppIdentity) {
    guard let icon = app.icon else { return nil }
    path = AppIdentity.iconRoute
    embedded = nil
    made = icon
    mediaType = app.iconType
    storedTag = icon.withUnsafeBufferPointer { Self.tag(of: $0) }
    encodedCopies = [:]
    elementText = nil
  }

  private init(_ file: web_file) {
    path = String(cString: file.path)
    embedded = UnsafeBufferPointer(start: file.bytes, count: file.count)
    made = []
    mediaType = MediaType.of(fileName: path)
    storedTag = nil
    encodedCopies = [:]
    elementText = nil
  }

  /// Creates a file. With `isCompressed`, browsers get it with gzip.
  init(path: String, bytes: [UInt8], isCompressed: Bool = false, elementText: [UInt8]? = nil) {
    self.path = path
    embedded = nil
    made = bytes
    mediaType = MediaType.of(fileName: path)
    storedTag = bytes.withUnsafeBufferPointer { Self.tag(of: $0) }
    let copy = isCompressed ? Gzip.compressed(bytes).map { EmbeddedFile(path: path, bytes: $0) } : nil
    encodedCopies = copy.map { [.gzip: $0] } ?? [:]
    self.elementText = elementText
  }

  package nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8] {
    embedded.map { Array($0.dropFirst(offset).prefix(count)) } ?? Array(made.dropFirst(offset).prefix(count))
  }

  /// Every embedded file by its path.
  package static let all: [String: EmbeddedFile] = {
    let files = UnsafeBufferPointer(start: web_files(), count: web_file_count())
    return Dictionary(files.map(EmbeddedFile.init).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  /// CRC-32 (zlib). It distinguishes versions of a file, and gives the same result in every process.
  private static func tag(of bytes: UnsafeBufferPointer<UInt8>) -> EntityTag? {
    let sum = UInt(crc32_z(0, bytes.baseAddress, bytes.count))
    return EntityTag(opaqueTag: String(sum, radix: 36))
  }
}
