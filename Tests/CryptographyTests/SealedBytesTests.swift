import Cryptography
import Testing

@Suite struct SealedBytesTests {
  private let key = SHA256.hash("key")

  @Test(arguments: ["", "a", "a text that is longer than one block of the cipher"])
  func `sealed bytes are opened with their key only`(text: String) {
    let bytes = Array(text.utf8)
    let sealed = SealedBytes.seal(bytes, with: key)
    #expect(SealedBytes.open(sealed, with: key) == bytes)
    #expect(SealedBytes.open(sealed, with: SHA256.hash("another key")) == nil)
    #expect(SealedBytes.seal(bytes, with: key) != sealed)
  }

  @Test func `sealed bytes that were changed or cut are not opened`() {
    let sealed = SealedBytes.seal(Array("answer".utf8), with: key)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(SealedBytes.open(changed, with: key) == nil)
      #expect(SealedBytes.open(Array(sealed[..<index]), with: key) == nil)
    }
  }
}
