import Testing

@testable import HTMLInjection

@Suite struct HTMLPolicyMenderTests {
  private static let policy = ContentSecurityPolicy(nonce: "N", isSecure: false, place: "localhost/__footbridge/")
  private static let added = "\(policy.socket) \(policy.goodbye) \(policy.now)"

  /// Documents from within the head on; `|` stands where the addresses of the bridge are to be added.
  static let documents = [
    "<meta http-equiv=\"Content-Security-Policy\" content=\"connect-src a|\">",
    "<META HTTP-EQUIV=content-security-policy CONTENT='connect-src a|'>",
    "<meta content=\"connect-src a|\" http-equiv = 'Content-Security-Policy' />",
    "<title><meta http-equiv=Content-Security-Policy content='connect-src a'></title><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<script>'<meta http-equiv=Content-Security-Policy content=\"connect-src a\">'</script ><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<script><!-- <script></script> <meta http-equiv=Content-Security-Policy content='connect-src a'> --></script><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<script><!-- </script><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<script><!--> <script> </script><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<style></styles></style><link a='>'><base><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<!-- <meta http-equiv=Content-Security-Policy content='connect-src a'> --><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<template><div>text<meta http-equiv=Content-Security-Policy content='connect-src a'></template><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<noscript><p></noscript></title></head>\n<meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<html><head><!doctype x><?x?></><!><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<meta charset=utf-8><meta http-equiv=Content-Security-Policy content='connect-src a|'><meta http-equiv=Content-Security-Policy content='connect-src a|'>",
    "<meta http-equiv=&#67;ontent-Security-Policy content='connect-src a'>",
    // Of several attributes of one name the first counts.
    "<meta http-equiv=Content-Security-Policy content='connect-src a|' content='connect-src b'>",
    // What is no policy, or none in the head.
    "<meta http-equiv=refresh content='connect-src a'>", "<meta name=Content-Security-Policy content='connect-src a'>",
    "<meta http-equiv=Content-Security-Policy>",
    "<meta http-equiv=Content-Security-Policy-Report-Only content='connect-src a'>",
    "<body><meta http-equiv=Content-Security-Policy content='connect-src a'>",
    "text<meta http-equiv=Content-Security-Policy content='connect-src a'>",
    "</body><meta http-equiv=Content-Security-Policy content='connect-src a'>",
    "<div><meta http-equiv=Content-Security-Policy content='connect-src a'>",
    "< <meta http-equiv=Content-Security-Policy content='connect-src a'>",
    "<metadata http-equiv=Content-Security-Policy content='connect-src a'>",
    "<meta http-equiv=Content-Security-Policy content='connect-src a", "<meta", "<",
  ]

  private func mended(_ pieces: [[UInt8]], _ encoding: HTMLEncoding = .asciiCompatible, isXML: Bool = false) -> [UInt8]
  {
    var mender = HTMLPolicyMender(Self.policy, encoding: encoding, isXML: isXML)
    return pieces.flatMap { mender.push($0) } + mender.finish()
  }

  private func mended(_ text: String) -> String {
    String(decoding: mended([Array(text.utf8)]), as: UTF8.self)
  }

  @Test(arguments: documents)
  func `policies in the head are mended, and nothing else`(marked: String) {
    let before = marked.replacing("|", with: "")
    let after = marked.replacing("|", with: " " + Self.added)
    #expect(mended(before) == after)
  }

  @Test(arguments: documents)
  func `policies are mended in the same way for chunks of any size`(marked: String) {
    let document = Array(marked.replacing("|", with: "").utf8)
    let whole = mended([document])
    #expect(mended(document.map { [$0] }) == whole)
    for cut in 0...document.count { #expect(mended([Array(document[..<cut]), Array(document[cut...])]) == whole) }
  }

  @Test(arguments: documents, [HTMLEncoding.utf16LittleEndian, .utf16BigEndian])
  func `policies of a document in UTF-16 are mended in UTF-16`(marked: String, encoding: HTMLEncoding) {
    let before = encoding.encode(marked.replacing("|", with: "").utf8)
    #expect(mended([before], encoding) == encoding.encode(marked.replacing("|", with: " " + Self.added).utf8))
    #expect(mended(before.map { [$0] }, encoding) == mended([before], encoding))
  }

  @Test func `character references to quotes are decoded, and others stay`() {
    let scripts = Self.added
    #expect(
      mended("<meta http-equiv=Content-Security-Policy content=\"connect-src &#39;none&#x27;; img-src a?b&amp;c\">")
        == "<meta http-equiv=Content-Security-Policy content=\"connect-src \(scripts); img-src a?b&amp;c\">")
    #expect(
      mended("<meta http-equiv=Content-Security-Policy content='connect-src &apos;sha256-x&#39; b'>")
        == "<meta http-equiv=Content-Security-Policy content='connect-src &#39;sha256-x&#39; b \(scripts)'>")
    #expect(
      mended("<meta http-equiv=Content-Security-Policy content=connect-src>")
        == "<meta http-equiv=Content-Security-Policy content=\"connect-src \(scripts)\">")
  }

  @Test func `bytes beyond ASCII are passed on unchanged`() {
    let start = Array("<meta http-equiv=Content-Security-Policy data-x='".utf8) + [0xE9, 0xFF]
    let rest = Array("' content='connect-src ".utf8) + [0xE4]
    let end = Array("'>".utf8)
    #expect(mended([start + rest + end]) == start + rest + Array(" \(Self.added)".utf8) + end)
  }

  @Test func `a self-closing script element of XHTML does not hide the policies after it`() {
    let meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"connect-src a|\"/>"
    let document = "<script src=\"a\"/><title/>" + meta
    let result = mended([Array(document.replacing("|", with: "").utf8)], isXML: true)
    #expect(result == Array(document.replacing("|", with: " " + Self.added).utf8))
  }

  @Test func `a tag beyond the length limit is passed on unchanged`() {
    var mender = HTMLPolicyMender(Self.policy, encoding: .asciiCompatible, isXML: false)
    let start = Array("<meta content='".utf8)
    let piece = [UInt8](repeating: 0x61, count: HTMLTagStream.heldByteCount)
    #expect(mender.push(start) == [])
    #expect(mender.push(piece) == start + piece)
    #expect(mender.push(piece) == piece)
    #expect(mender.finish() == [] && !mender.hasMended)
  }

  @Test func `the injector mends the policies after its script`() {
    let meta = "<meta http-equiv=Content-Security-Policy content=\"connect-src 'none'\">"
    for pieces in [["<head>\(meta)<p>"], ["<head>", meta, "<p>"], (Array("<head>\(meta)<p>").map { String($0) })] {
      var injector = HTMLInjector(scriptAttributes: Array("X".utf8), contentType: "text/html", policy: Self.policy)
      let bytes = pieces.flatMap { injector.push(Array($0.utf8)) } + injector.finish()
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == "<head><script X></script>\(meta.replacing("'none'", with: Self.added))<p>")
      #expect(injector.hasMendedPolicy)
    }
  }
}
