import Testing

@testable import HTMLInjection

@Suite struct HTMLLinkRewriterTests {
  private func rewritten(
    _ html: String, pieceByteCount: Int = 1 << 20, contentType: String = "text/html; charset=utf-8"
  ) -> String {
    var rewriter = HTMLLinkRewriter(contentType: contentType) { value, form in
      let changed = value.replacing("http://up/", with: "/")
      return form == .refresh || value.hasPrefix("http://up/") ? changed : value
    }
    let bytes = Array(html.utf8)
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
      output += rewriter.push(Array(bytes[start..<min(start + pieceByteCount, bytes.count)]))
    }
    return String(decoding: output + rewriter.finish(), as: UTF8.self)
  }

  @Test(arguments: [
    ("<a href=\"http://up/a\">", "<a href=\"/a\">"), ("<A HREF=http://up/a>", "<A HREF=/a>"),
    ("<img src='http://up/a' alt='http://up/b'>", "<img src='/a' alt='http://up/b'>"),
    ("<form action=http://up/a><button formaction=\"http://up/b\">", "<form action=/a><button formaction=\"/b\">"),
    ("<img srcset=\"http://up/a 1x, http://up/b 2x,http://other/c\">", "<img srcset=\"/a 1x, /b 2x,http://other/c\">"),
    (
      "<img srcset=\"\n\thttp://up/a 1x,\n\thttp://up/b 2x\r\n\">",
      "<img srcset=\"\n\t/a 1x,\n\t/b 2x\r\n\">"
    ),
    ("<meta http-equiv=Refresh content='0; url=http://up/a'>", "<meta http-equiv=Refresh content='0; url=/a'>"),
    ("<meta property=og:url content=http://up/a>", "<meta property=og:url content=http://up/a>"),
    ("<base href=http://up/><link rel=canonical href=http://up/a>", "<base href=/><link rel=canonical href=/a>"),
    (
      "<script>'<a href=http://up/a>'</script><a href=http://up/b>",
      "<script>'<a href=http://up/a>'</script><a href=/b>"
    ),
    (
      "<script type=application/ld+json>{\"href\":\"http://up/a\"}</script>",
      "<script type=application/ld+json>{\"href\":\"http://up/a\"}</script>"
    ),
    ("<style>a{background:url(http://up/a)}</style>", "<style>a{background:url(http://up/a)}</style>"),
    (
      "<!-- <a href=http://up/a> --><textarea><a href=http://up/b></textarea>",
      "<!-- <a href=http://up/a> --><textarea><a href=http://up/b></textarea>"
    ),
    ("text http://up/a < b <a title='>' href=http://up/c>é</a>", "text http://up/a < b <a title='>' href=/c>é</a>"),
    ("<a href=\"http://up/é\">", "<a href=\"/é\">"), ("<a href=http://up/a", "<a href=http://up/a"), ("", ""),
  ])
  func `links are rewritten, and nothing else, in chunks of any size`(before: String, after: String) {
    for count in [1, 2, 3, 7, 1000] { #expect(rewritten(before, pieceByteCount: count) == after) }
  }

  @Test func `a document in UTF-16 is rewritten in UTF-16`() {
    var rewriter = HTMLLinkRewriter(contentType: "text/html; charset=utf-16le") { _, _ in "/b" }
    let encode = { (text: String) in text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
    let output = rewriter.push(encode("<a href=x>")) + rewriter.finish()
    #expect(output == encode("<a href=/b>"))
  }
}
