import HTTP1
import HTTPTypes
import Testing

@Suite struct ContentCodingTests {
  @Test(
    arguments: [
      ("br, gzip", .brotli), ("gzip", .gzip), ("br;q=0.1, gzip;q=0.2", .gzip), ("*", .brotli), ("*, br;q=0", .gzip),
      ("GZIP ; Q=1.0", .gzip), ("x-gzip", .gzip), ("br ; q = 0.5", .brotli), ("identity;q=0.5, gzip", .gzip),
      ("gzip, identity;q=0", .gzip), ("", nil), ("identity", nil), ("deflate, zstd", nil), ("br;q=0, gzip;q=0.0", nil),
      ("gzip;q=0.5, identity", nil), ("br;q=2, gzip;q=-1", nil), ("br;level=5", nil), ("gzip;q=nan", nil),
      (";q=1, ,", nil),
    ] as [(String, ContentCoding?)])
  func `the coding with the greatest weight is preferred, unless identity has a greater one`(
    value: String, expected: ContentCoding?
  ) {
    #expect(ContentCoding.preferred(by: [.acceptEncoding: value], of: ContentCoding.allCases) == expected)
  }

  @Test func `a request without Accept-Encoding gets the identity coding`() {
    #expect(ContentCoding.preferred(by: [:], of: ContentCoding.allCases) == nil)
  }

  @Test func `only available codings are preferred, over all lines of the field`() {
    var fields: HTTPFields = [.acceptEncoding: "br"]
    fields.append(HTTPField(name: .acceptEncoding, value: "gzip;q=0.1"))
    #expect(ContentCoding.preferred(by: fields, of: [.gzip]) == .gzip)
    #expect(ContentCoding.preferred(by: fields, of: []) == nil)
  }
}
