import Testing

@testable import HTMLInjection

@Suite struct HTMLDeclaredEncodingTests {
  private static let long = String(repeating: "x", count: 1024)

  static let documents: [(text: String, isUTF8: Bool)] = [
    ("<!doctype html><html lang=en><head><meta charset=utf-8>", true), ("<META CHARSET = \"UTF-8\" />", true),
    ("\u{FEFF}<!doctype html>", true), ("<!-- a --><script>1 < 2; '<meta>'</script><meta charset='utf-8'>", true),
    ("<meta name=viewport content=a><meta charset=utf-8>", true),
    ("<meta http-equiv=Content-Type content='text/html;charset=utf-8'>", true),
    ("", false), ("<title>a</title>", false), ("<p><meta charset=utf-8>", false), ("text <meta charset=utf-8>", false),
    ("<meta charset=windows-1252><meta charset=utf-8>", false), ("<meta charset=utf-16>", false),
    ("<!-- charset --><meta charset=utf-8>", false), ("<script>'charset'</script><meta charset=utf-8>", false),
    ("<html data-charset><meta charset=utf-8>", false), ("<template><meta charset=utf-8></template>", false),
    ("<meta name=a content='charset=utf-8'>", false), ("<meta charset=utf-8", false),
    ("<!-- \(long) --><meta charset=utf-8>", false), ("<meta content='\(long)' charset=utf-8>", false),
  ]

  @Test(arguments: documents)
  func `a document is in UTF-8 if its head says so first`(text: String, isUTF8: Bool) {
    #expect(HTMLDeclaredEncoding.isUTF8(Array(text.utf8)) == isUTF8)
  }
}
