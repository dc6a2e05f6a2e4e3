import Testing

@testable import HTMLInjection

@Suite struct HTMLInjectorTests {
  /// Documents in which `|` marks the place.
  static let documents = [
    "<!doctype html><html><head>|<title>a</title></head></html>",
    "<HTML LANG=en><HEAD data-a='>' b=\">\">|<meta charset=utf-8>",
    "<!DOCTYPE html>\n<html>\n|<body>hi</body>",
    "<!-- a <head> in a comment --><!doctype html><html><!-- b --><head >|x",
    "|<script>var a = '<head>';</script>",
    "|text",
    "<!doctype html>|<p>hi",
    "<html>|<header>not a head</header>",
    "<html>|<headline>",
    "<!doctype html><head>|",
    "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\"><head>|<title/></head></html>",
    "<!--><head>|", "<!---><head>|", "<!-- a --!><head>|", "<!-- a -- b --><head>|", "<!-- a --!-- --><head>|",
    "<!-- <!-- --><head>|", "<!-- <!--><head>|", "<!--->|--><head>", "<!---->|x", "|<!-- never closed <head>",
    "<html manifest=\"a>b\"><head\n class=x>|", "<html><head/>|<title>", "|", "  \n|", "<!doctype html>|", "|<", "|<!",
    "|<a",
    "|<template><head></head></template>",
    "<html>|<frameset cols=\"1,2\"><frame></frameset>",
    "|<title>a</title>", "|<meta charset=utf-8>", "|<base href=/elsewhere/>",
    "|<script type=importmap>{}</script>", "|<link rel=modulepreload href=a.js>", "|<noscript></noscript>",
    "</p><!doctype html></div class='>'><html></><head>|", "<html>|</head>", "<html>|</body>", "|</html>", "|</br>",
    "</ bogus <head>|><head>", "</ bogus><head>|", "<!><!-><head>|", "<!bogus><![CDATA[ x ]]><head>|",
    "<!doctype html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" 'x'><head>|",
    "<html a=b\"c><head>|", "<html =\"a><head>|", "<html a==\"b><head>|", "<html a= \"b>c\" d='e>f'><head>|",
    "<html/><head>|",
    "<html a/=\"b><head>|", "<html a =\">\"><head>|", "<html a b=\">\"><head>|",
    "<html\u{0C}lang=en\t><head\u{0C}>|", "\r\n<!doctype html>\r\n<html>\r\n<head>|\r\n",
    "<html><html lang=en><head>|", "<html>|text<head>", "<html>|&nbsp;<head>", "|\u{0}<head>",
  ]

  private static let script = "<script X></script>"

  private func parts(_ marked: String) -> (before: String, after: String) {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), String(parts[1]))
  }

  private func injected(_ pieces: [[UInt8]], _ contentType: String = "text/html") -> [UInt8] {
    var injector = HTMLInjector(scriptAttributes: Array("X".utf8), contentType: contentType)
    return pieces.flatMap { injector.push($0) } + injector.finish()
  }

  private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  @Test(arguments: documents)
  func `the script is injected as the first element of the head`(marked: String) {
    let (before, after) = parts(marked)
    #expect(injected([Array((before + after).utf8)]) == Array((before + Self.script + after).utf8))
  }

  @Test(arguments: [false, true])
  func `a script element can have a text, in the encoding of the document`(isBigEndian: Bool) {
    for contentType in ["text/html; charset=utf-8", "text/html; charset=utf-16\(isBigEndian ? "be" : "le")"] {
      var injector = HTMLInjector(
        scriptAttributes: Array("X".utf8), scriptText: Array("run();".utf8), contentType: contentType)
      func encoded(_ text: String) -> [UInt8] {
        contentType.hasSuffix("utf-8") ? Array(text.utf8) : utf16(text, isBigEndian: isBigEndian)
      }
      let output = injector.push(encoded("<head><title>é</title>")) + injector.finish()
      #expect(output == encoded("<head><script X>run();</script><title>é</title>"))
    }
  }

  @Test(arguments: documents)
  func `the script is injected at the same place for chunks of any size`(marked: String) {
    let (before, after) = parts(marked)
    let document = Array((before + after).utf8)
    let expected = Array((before + Self.script + after).utf8)
    #expect(injected(document.map { [$0] }) == expected)
    for cut in 0...document.count {
      #expect(injected([Array(document[..<cut]), Array(document[cut...])]) == expected)
    }
  }

  @Test(arguments: documents, [false, true])
  func `a document in UTF-16 gets the script in UTF-16`(marked: String, isBigEndian: Bool) {
    let (before, after) = parts(marked)
    let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let document = mark + utf16(before + after, isBigEndian: isBigEndian)
    let expected = mark + utf16(before + Self.script + after, isBigEndian: isBigEndian)
    #expect(injected([document], "text/html; charset=utf-8") == expected)
    #expect(injected(document.map { [$0] }, "text/html; charset=utf-8") == expected)
  }

  @Test func `the content type gives the encoding if there is no byte order mark`() {
    for (charset, isBigEndian) in [("UTF-16", false), ("\"utf-16le\"", false), ("utf-16be", true)] {
      let type = "text/html; x=y; charset=\(charset)"
      let document = utf16("<head><p>é", isBigEndian: isBigEndian)
      #expect(injected([document], type) == utf16("<head>\(Self.script)<p>é", isBigEndian: isBigEndian))
    }
  }

  @Test func `the script is injected after a byte order mark`() {
    #expect(injected([Array("\u{FEFF}text".utf8)]) == Array("\u{FEFF}\(Self.script)text".utf8))
    #expect(injected([[0xEF], [0xBB], [0xBF]]) == Array("\u{FEFF}\(Self.script)".utf8))
    #expect(injected([[0xEF, 0xBB]]) == Array(Self.script.utf8) + [0xEF, 0xBB])
  }

  @Test func `bytes that are not valid text are passed on unchanged`() {
    let junk: [UInt8] = [0x80, 0xFF, 0x00, 0x3C, 0xC3]
    #expect(injected([Array("<head>".utf8) + junk]) == Array("<head>\(Self.script)".utf8) + junk)
  }

  @Test func `bytes before a possible place for the script are passed on at once`() {
    var injector = HTMLInjector(scriptAttributes: Array("X".utf8), contentType: "text/html")
    #expect(injector.push(Array("<!doctype html><html><!-- a".utf8)) == Array("<!doctype html><html>".utf8))
    #expect(injector.push(Array("--><hea".utf8)) == Array("<!-- a-->".utf8))
    #expect(injector.push(Array("d>".utf8)) == Array("<head>\(Self.script)".utf8))
    #expect(injector.push(Array("<p".utf8)) == Array("<p".utf8))
    #expect(injector.finish() == [])
  }

  @Test func `an unterminated comment is passed on and does not fill the memory`() {
    var injector = HTMLInjector(scriptAttributes: Array("X".utf8), contentType: "text/html")
    var count = injector.push(Array("<!--".utf8)).count
    for _ in 0..<100 { count += injector.push([UInt8](repeating: 0x61, count: 10_000)).count }
    #expect(count > 1_000_000 - HTMLInjector.heldByteCount)
    #expect(injector.push(Array("--><head>".utf8)).suffix(Self.script.utf8.count) == Array(Self.script.utf8)[...])
  }

  @Test(arguments: [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>|<title/></head></html>",
    "<?a > ?><!-- b --><!DOCTYPE html [ <!ENTITY x \"]>\"> ]><h:html xmlns:h=\"http://www.w3.org/1999/xhtml\"><h:head a=\">\">|<h:title/>",
    "<html xmlns=\"http://www.w3.org/1999/xhtml\">|<head/><body/></html>",
    "<html xmlns=\"http://www.w3.org/1999/xhtml\">|<body/></html>",
    "<html xmlns=\"http://www.w3.org/1999/xhtml\">|</html>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\">|<script/></svg>",
  ])
  func `the script in XHTML has the XHTML namespace and a valid place`(marked: String) {
    let (before, after) = parts(marked)
    let expected = Array((before + "<script xmlns=\"http://www.w3.org/1999/xhtml\" X></script>" + after).utf8)
    #expect(injected([Array((before + after).utf8)], "application/xhtml+xml") == expected)
    #expect(injected(Array((before + after).utf8).map { [$0] }, "application/xhtml+xml; charset=utf-8") == expected)
  }

  @Test(arguments: ["<html/>", "<?xml version=\"1.0\"?>", "no markup"])
  func `XHTML without a place for the script is not changed`(document: String) {
    #expect(injected([Array(document.utf8)], "application/xhtml+xml") == Array(document.utf8))
  }
}
