import BridgeRuntime
import Testing

@Suite struct Base64URLTests {
  /// RFC 4648, section 10, without padding; and bytes whose digits differ from those of plain base64.
  private static let pairs: [([UInt8], String)] = [
    ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
    (Array("foobar".utf8), "Zm9vYmFy"), ([0xFB, 0xFF, 0xFE], "-__-"),
  ]

  @Test(arguments: pairs)
  func `Base64URL encodes and decodes the vectors`(_ bytes: [UInt8], _ text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(arguments: ["Zg==", "Z", "Zm9vY", "-_+/", "Zm 8", "Zm8\n", "Zmä"])
  func `Base64URL refuses padding, other characters and impossible lengths`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
