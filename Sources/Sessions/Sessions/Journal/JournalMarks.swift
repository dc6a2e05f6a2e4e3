package import BridgeCore

/// Replaces secrets and the bytes of images by marks. Recognizes secrets by their names and form.
public struct JournalMarks: Sendable {
  /// The names of further secrets, in lower case and without dashes and underscores.
  public var secretMembers: Set<String> = []
  /// The names that end like those of secrets, but are not secret, in the same form.
  public var publicMembers: Set<String> = []

  /// Also recognizes secrets by these names, in any case and with or without dashes and underscores.
  package init(secrets: [String]) {
    secretMembers = Set(secrets.map(Self.plainName))
  }

  /// Recognizes the usual secrets and these. The names are in lower case and without dashes and underscores.
  public init(secretMembers: Set<String> = [], publicMembers: Set<String> = []) {
    (self.secretMembers, self.publicMembers) = (secretMembers, publicMembers)
  }

  /// What replaces a secret.
  package static let secret = SecretPatterns.mark

  /// The maximum length of a text in bytes. A mark replaces longer ones.
  static let textLimit = 16 << 10

  /// The endings of the names of secrets, in lower case and without dashes.
  private static let secretEndings = [
    "authorization", "cookie", "password", "secret", "token", "bearer", "apikey",
  ].map { Array($0.utf8) }

  /// Returns the members with marks.
  package func marked(_ members: [String: JSONValue]) -> [String: JSONValue] {
    // Most members need none, and then the dictionary is not copied.
    var marked = members
    for (name, value) in members {
      if let mark = mark(for: value, of: name, in: members) { marked[name] = mark }
    }
    return marked
  }

  /// Returns what replaces a value; nil if it stays.
  private func mark(for value: JSONValue, of name: String, in members: [String: JSONValue]) -> JSONValue? {
    let plainName = Self.plainName(name)
    if isSecret(plainName), value != .null, value.boolValue == nil { return .string(SecretPatterns.mark) }
    switch value {
    case .string(let text):
      if plainName.hasSuffix("base64") {
        // The text is already a mark: entries are marked when they are added, and again when they are read.
        if text.hasPrefix("‹"), text.hasSuffix(" bytes›") { return nil }
        let type = members["mimeType"]?.stringValue.map { "\($0), " } ?? ""
        return .string("‹\(type)\(Self.byteCount(ofBase64: text.utf8[...])) bytes›")
      }
      return (markedInside(text) ?? Self.mark(for: text)).map { .string($0) }
    case .object(let members):
      let marked = marked(members)
      return marked == members ? nil : .object(marked)
    case .array(let elements):
      var marked = elements
      for index in elements.indices {
        if let mark = mark(for: elements[index], of: "", in: [:]) { marked[index] = mark }
      }
      return marked == elements ? nil : .array(marked)
    case .number, .bool, .null: return nil
    }
  }

  /// Returns a text that is JSON with marks for the secrets in it; nil for any other text, and for one without secrets.
  private func markedInside(_ text: String) -> String? {
    guard text.utf8.count <= Self.textLimit, let value = Self.json(in: text) else { return nil }
    let marked = withMarkedSecrets(value, of: "")
    return marked == value ? nil : marked.jsonText
  }

  /// The object or the array whose JSON text this is.
  private static func json(in text: String) -> JSONValue? {
    guard text.utf8.first.map({ "{[ \t\r\n".utf8.contains($0) }) == true, let value = try? JSONValue(parsing: text.utf8)
    else { return nil }
    return value.objectValue == nil && value.arrayValue == nil ? nil : value
  }

  /// Returns the members with marks for secrets alone, also in texts that are JSON. Long texts and images stay.
  package func withMarkedSecrets(_ members: [String: JSONValue]) -> [String: JSONValue] {
    var marked: [String: JSONValue] = [:]
    for (name, value) in members { marked[name] = withMarkedSecrets(value, of: name) }
    return marked
  }

  private func withMarkedSecrets(_ value: JSONValue, of name: String) -> JSONValue {
    if isSecret(Self.plainName(name)), value != .null, value.boolValue == nil { return .string(SecretPatterns.mark) }
    switch value {
    case .object(let members): return .object(withMarkedSecrets(members))
    case .array(let elements): return .array(elements.map { withMarkedSecrets($0, of: "") })
    case .string(let text):
      if Self.isSecret(text) { return .string(SecretPatterns.mark) }
      guard let inside = Self.json(in: text), case let marked = withMarkedSecrets(inside, of: ""), marked != inside
      else {
        return value
      }
      return .string(marked.jsonText)
    case .number, .bool, .null: return value
    }
  }

  /// Whether a text has the form of a secret.
  private static func isSecret(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.count >= 7, text.prefix(7).lowercased() == "bearer " { return true }
    return bytes.starts(with: "eyJ".utf8) && isCompactJWS(bytes)
  }

  /// Returns the members without secrets, at every depth.
  func withoutSecrets(_ members: [String: JSONValue]) -> [String: JSONValue] {
    var stored: [String: JSONValue] = [:]
    for (name, value) in members where !isSecret(Self.plainName(name)) {
      stored[name] = withoutSecrets(value)
    }
    return stored
  }

  private func withoutSecrets(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members): .object(withoutSecrets(members))
    case .array(let elements): .array(elements.map { withoutSecrets($0) })
    case .string, .number, .bool, .null: value
    }
  }

  private func isSecret(_ plainName: String) -> Bool {
    if secretMembers.contains(plainName) { return true }
    return Self.isUsualSecret(plainName) && !publicMembers.contains(plainName)
  }

  /// Whether a name is one that secrets usually have. It is in lower case and without dashes and underscores.
  package static func isUsualSecret(_ plainName: String) -> Bool {
    // Compares bytes: this runs for each member of each entry, and `hasSuffix` looks for characters.
    var plainName = plainName
    return plainName.withUTF8 { name in
      secretEndings.contains { name.suffix($0.count).elementsEqual($0) }
    }
  }

  /// Returns a member's name in lower case and without dashes and underscores.
  package static func plainName(_ name: String) -> String {
    var name = name
    let plain = name.withUTF8 { bytes -> String? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      return String(unsafeUninitializedCapacity: bytes.count) { plain in
        var count = 0
        for byte in bytes where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
          plain[count] = 0x41...0x5A ~= byte ? byte | 0x20 : byte
          count += 1
        }
        return count
      }
    }
    return plain ?? name.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// Returns what replaces a text; nil if it stays.
  private static func mark(for text: String) -> String? {
    let bytes = text.utf8
    if bytes.count >= 7, text.prefix(7).lowercased() == "bearer " { return SecretPatterns.mark }
    if bytes.starts(with: "eyJ".utf8), isCompactJWS(bytes) { return "‹JWS, \(bytes.count) bytes›" }
    if bytes.starts(with: "data:".utf8), let comma = bytes.firstIndex(of: UInt8(ascii: ",")) {
      let type = text[text.utf8.index(text.startIndex, offsetBy: 5)..<comma]
      let content = bytes[bytes.index(after: comma)...]
      guard type.hasSuffix(";base64") else { return "‹\(type), \(content.count) bytes›" }
      return "‹\(type.dropLast(";base64".count)), \(byteCount(ofBase64: content)) bytes›"
    }
    return text.utf8.count > textLimit ? cut(text) : nil
  }

  /// Returns the number of bytes that a Base64 text encodes, with padding or without.
  private static func byteCount(ofBase64 text: Substring.UTF8View) -> Int {
    (text.count - text.reversed().prefix { $0 == UInt8(ascii: "=") }.count) * 3 / 4
  }

  /// Returns the text, or a mark if it is too long.
  static func cut(_ text: String) -> String {
    text.utf8.count > textLimit ? "‹text, \(text.utf8.count) bytes›" : text
  }

  /// Whether a text has three parts of base64url, separated by dots (RFC 7515, section 7.1).
  private static func isCompactJWS(_ bytes: String.UTF8View) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3
      && parts.allSatisfy { part in
        part.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
          default: false
          }
        }
      }
  }
}
