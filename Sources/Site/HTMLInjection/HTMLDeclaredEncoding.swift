/// The encoding that an HTML document declares in its head (HTML Standard, section 4.2.5.4).
package enum HTMLDeclaredEncoding {
  /// How many bytes browsers search for it (HTML Standard, section 13.2.3.2).
  private static let searchedByteCount = 1024

  /// Whether a document says that it is in UTF-8, so that every browser reads it so. False if this is not certain.
  ///
  /// - Parameter start: The document's first bytes.
  package static func isUTF8(_ start: [UInt8]) -> Bool {
    let bytes = start.prefix(searchedByteCount)
    guard let (encoding, markByteCount) = HTMLEncoding.sniff(bytes, contentType: "", isComplete: true) else {
      return false
    }
    // A byte order mark takes precedence over all else.
    guard encoding == .asciiCompatible, markByteCount == 0 else { return encoding == .asciiCompatible }
    // A browser's search does not know scripts, and may find the word in one. So its first occurrence must be the right one.
    guard let word = index(of: "charset", in: bytes) else { return false }
    var scanner = HTMLMetaScanner(isXML: false)
    var tagStart = 0
    for index in bytes.indices {
      switch scanner.read(UInt16(bytes[index])) {
      case .undecided: continue
      case .passed: break
      case .meta: if word < index { return namesUTF8(bytes[tagStart...index].map { UInt16($0) }) }
      case .over: return false
      }
      tagStart = index + 1
      if word < tagStart { return false }
    }
    return false
  }

  /// The index of a word in lower case, whatever the case of the bytes; nil if it is not there.
  private static func index(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0...].prefix(word.utf8.count).lazy.map { $0 | 0x20 }.elementsEqual(word.utf8) }
  }

  /// Whether a whole `meta` tag says that the document is in UTF-8.
  private static func namesUTF8(_ tag: [UInt16]) -> Bool {
    let attributes = HTMLAttribute.all(of: tag)
    func value(_ name: String) -> String? {
      attributes.first { $0.name == Array(name.utf16) }.map {
        String(decoding: tag[$0.value], as: UTF16.self).lowercased()
      }
    }
    if let charset = value("charset") { return charset == "utf-8" }
    return value("http-equiv") == "content-type" && value("content")?.filter { $0 != " " } == "text/html;charset=utf-8"
  }
}
