import Testing

@testable import HTMLInjection

@Suite struct HTMLSnifferTests {
  /// What Chromium was seen to show as HTML, and what not.
  static let documents: [(text: String, isHTML: Bool)] = [
    ("<!doctype html>", true), ("<!DOCTYPE HTML PUBLIC", true), ("<html>", true), ("<HTML\n>", true),
    ("  \r\n\t\u{0C}<p>a", true),
    ("<!-- a -->", true), ("<script>", true), ("<head>", true), ("<iframe>", true), ("<h1>", true),
    ("<div\nclass=a>", true),
    ("<font>", true), ("<table>", true), ("<a href=b>", true), ("<abbr>", true), ("<style>", true), ("<title>", true),
    ("<b>", true),
    ("<body", true), ("<br/>", true),
    ("", false), ("   ", false), ("text <html>", false), ("<h2>", false), ("<span>", false), ("<!", false),
    ("<!doctype\thtml>", false),
    ("<?xml version='1.0'?><html>", false), ("\u{FEFF}<html>", false), ("<meta charset=utf-8>", false),
    ("\u{0}<html>", false),
    ("{\"a\": \"<html>\"}", false), ("%PDF-", false), (String(repeating: " ", count: 512) + "<html>", false),
    (String(repeating: " ", count: 500) + "<html>", true),
  ]

  @Test(arguments: documents)
  func `the sniffer recognizes HTML by its first bytes in chunks of any size`(text: String, isHTML: Bool) {
    for size in [1, 3, 10_000] {
      var sniffer = HTMLSniffer()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        sniffer.push(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      sniffer.finish()
      #expect(sniffer.verdict == (isHTML ? .html : .other))
      #expect(sniffer.bytes == Array(text.utf8))
    }
  }

  @Test func `the sniffer decides at the first byte that settles it`() {
    var sniffer = HTMLSniffer()
    sniffer.push(Array("\n<".utf8))
    #expect(sniffer.verdict == .undecided)
    sniffer.push(Array("u".utf8))
    #expect(sniffer.verdict == .other)
    sniffer = HTMLSniffer()
    sniffer.push(Array("<p".utf8))
    #expect(sniffer.verdict == .html)
  }
}

@Suite struct HTMLDocumentStartTests {
  @Test(arguments: [
    ("<!DOCTYPE html><p>", true), ("\u{FEFF} <!-- a --> <!--b--><html lang=en>", true),
    ("<?xml version=\"1.0\"?><html/>", true),
    ("<div>", false), ("", false), ("<!-- never ends", false), ("text", false), ("<head>", false), ("<htm", false),
  ])
  func `HTMLDocumentStart recognizes a document by its doctype or html element`(text: String, isDocument: Bool) {
    var whole = HTMLDocumentStart()
    whole.push(Array(text.utf8))
    whole.finish()
    var pieces = HTMLDocumentStart()
    for byte in text.utf8 { pieces.push([byte]) }
    pieces.finish()
    #expect([whole.isDocument, pieces.isDocument] == [isDocument, isDocument])
    #expect(pieces.bytes == Array(text.utf8))
  }
}
