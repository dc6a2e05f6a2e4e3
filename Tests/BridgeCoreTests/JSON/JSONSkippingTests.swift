import Testing

@testable import BridgeCore

/// A value that is skipped is checked as one that is read: what is compared is where each ends, or what is wrong.
@Suite struct JSONSkippingTests {
  private static let depthLimit = 6
  private static let corpus = [
    "0", "-1.5e+10", "12345678901234567890", "true", "false", "null", #""""#, #""abc""#, "[]", "{}", "[ ]", "{ }",
    " [1, 2 ,3] ", #"{"a":1,"b":[true,null]}"#, #"{"":{"":{}}}"#, "[[],[[]],{}]", #"["a\"b\\","\u00e9\ud83d"]"#,
    #"{"é€😀":"😀€é"}"#, "[[[[[[]]]]]]", "[[[[[[[]]]]]]]", #"{"a":[{"b":[{"c":[]}]}]}"#,
    #"["0123456789abcdef0123456789"]"#,
    "\t{\r\n\"a\" : \"b\" }", #"{"a":"b","c":"d""#, "[1e400]", "[01]", #"{"a":1,}"#, "[1,]",
  ]

  private enum Outcome: Equatable {
    case value(end: Int)
    case error(JSONError)
  }

  private func outcome(of text: [UInt8], _ body: (inout JSONScanner) throws(JSONError) -> Void) -> Outcome {
    text.withUnsafeBufferPointer {
      var scanner = JSONScanner($0, depthLimit: Self.depthLimit)
      do throws(JSONError) {
        try body(&scanner)
        return .value(end: scanner.position)
      } catch {
        return .error(error)
      }
    }
  }

  private func isSame(_ text: [UInt8]) -> Bool {
    outcome(of: text) { scanner throws(JSONError) in try scanner.skipValue() }
      == outcome(of: text) { scanner throws(JSONError) in _ = try scanner.readValue() }
  }

  private func differences(_ texts: some Sequence<[UInt8]>) -> [String] {
    texts.filter { !isSame($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: corpus) func `skipping a value ends where reading it ends`(text: String) {
    #expect(differences([Array(text.utf8)]).isEmpty)
  }

  @Test func `the range of a skipped value has no white space around it`() throws {
    let text = Array(#"  {"a":[1]} ,"#.utf8)
    let (range, position) = try text.withUnsafeBufferPointer {
      var scanner = JSONScanner($0)
      return (try scanner.skipValue(), scanner.position)
    }
    #expect(range == 2..<11 && position == 11)
  }

  @Test(arguments: corpus) func `skipping refuses a text cut at any byte as reading does`(text: String) {
    let text = Array(text.utf8)
    #expect(differences(text.indices.map { Array(text[..<$0]) }).isEmpty)
  }

  @Test(arguments: corpus) func `skipping accepts or refuses a text with a changed byte as reading does`(text: String) {
    let text = Array(text.utf8)
    #expect(differences(text.withAnyByteChanged).isEmpty)
  }

  @Test(arguments: corpus) func `skipping accepts or refuses a text with a byte more or less as reading does`(
    text: String
  ) {
    let text = Array(text.utf8)
    let marks = Array(#"{}[]",:\0-. "#.utf8)
    let more = (0...text.count).lazy.flatMap { index in
      marks.lazy.map { Array(text[..<index]) + [$0] + text[index...] }
    }
    #expect(differences(more).isEmpty)
    #expect(differences(text.indices.map { Array(text[..<$0] + text[($0 + 1)...]) }).isEmpty)
  }

  /// Containers within one another, arrays and objects mixed.
  private func nested(_ depth: Int, ends: (Int) -> Bool = { _ in true }) -> [UInt8] {
    let isObject = (0..<depth).map { $0 * $0 % 5 < 2 }
    var text = isObject.map { $0 ? #"{"a":"# : "[" }.joined() + "0"
    for level in (0..<depth).reversed() { text += isObject[level] == ends(level) ? "}" : "]" }
    return Array(text.utf8)
  }

  private func skips(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer {
      var scanner = JSONScanner($0, depthLimit: 1000)
      return (try? scanner.skipValue()) == 0..<text.count
    }
  }

  @Test(arguments: [1, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 192, 193])
  func `skipping checks that each array and object at any depth ends with its own bracket`(depth: Int) {
    #expect(skips(nested(depth)))
    let wrong = (0..<depth).filter { level in skips(nested(depth) { $0 != level }) }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [63, 64, 65, 127, 128, 129])
  func `a missing or additional bracket is refused at any depth`(depth: Int) {
    #expect(!skips(nested(depth).dropLast()))
    #expect(!skips(nested(depth) + "]".utf8))
    #expect(!skips(nested(depth) + "}".utf8))
    #expect(!skips(Array(nested(depth).prefix { $0 != UInt8(ascii: "0") })))
  }

  @Test func `a value after a deeply nested one belongs to the surrounding array or object`() {
    for depth in [63, 64, 127, 128] {
      let inner = String(decoding: nested(depth), as: UTF8.self)
      #expect(skips(Array("[\(inner),\(inner)]".utf8)))
      #expect(skips(Array(#"{"a":\#(inner),"b":\#(inner)}"#.utf8)))
      #expect(!skips(Array(#"{"a":\#(inner),\#(inner)}"#.utf8)))
      #expect(!skips(Array(#"["a",\#(inner):1]"#.utf8)))
    }
  }

  private func skips(_ text: ArraySlice<UInt8>) -> Bool { skips(Array(text)) }

  /// Where an object at the start of a text ends, found quickly or with care; nil when it is none, or none that is found quickly.
  private func end(_ text: [UInt8], quickly: Bool) -> Int? {
    text.withUnsafeBufferPointer {
      var scanner = JSONScanner($0, depthLimit: 1000)
      return quickly ? scanner.plainObject()?.upperBound : try? scanner.skipValue().upperBound
    }
  }

  @Test func `the fast path skips any object to the same end as the slow path`() {
    let parts = ["{", "}", "[", "]", ",", #""a":"#, "0"].map { Array($0.utf8) }
    var texts = [Array("{".utf8)]
    for _ in 0..<6 {
      texts = texts.flatMap { text in parts.map { text + $0 } }
      let wrong = texts.filter { text in
        guard let quickEnd = end(text, quickly: true) else { return false }
        return quickEnd != end(text, quickly: false)
      }
      #expect(wrong.isEmpty)
    }
  }

  @Test func `the fast path skips a usual object, and refuses it cut or changed`() {
    let object = #"{"a":[10,0,{"b":null}],"c":"de","f":{"t":true,"f":false,"e":[{},[],""]}}"#
    let text = Array(object.utf8)
    #expect(end(text, quickly: true) == text.count)
    #expect(end(text + ",1}".utf8, quickly: true) == text.count)
    #expect(end(Array(#"{},"a":{"b":1}}"#.utf8), quickly: true) == 2)
    let changed = text.withAnyByteChanged.filter { changed in
      guard let quickEnd = end(changed, quickly: true) else { return false }
      return quickEnd != end(changed, quickly: false)
    }
    #expect(changed.isEmpty)
    let cuts = text.indices.filter { end(Array(text[..<$0]), quickly: true) != nil }
    #expect(cuts.isEmpty)
    for depth in [1, 61, 62, 63, 64, 65, 200] {
      let text = nested(depth)
      let quickEnd = end(text, quickly: true)
      #expect(quickEnd == nil || quickEnd == text.count)
      #expect(quickEnd != nil || depth > 60 || text.first != UInt8(ascii: "{"))
    }
  }
}
