import Cryptography
import Testing

@Suite struct DigestTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA256 computes the hashes of FIPS 180`(text: String, hash: String) {
    #expect(hexadecimal(SHA256.hash(text)) == hash)
  }

  // RFC 4231, sections 4.2, 4.3 and 4.7.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `AuthenticationCode computes the codes of RFC 4231, also when used again`(
    key: [UInt8], text: String, code: String
  ) {
    let authentication = AuthenticationCode(key: key)
    for _ in 0..<2 { #expect(hexadecimal(authentication.code(of: Array(text.utf8))) == code) }
    #expect(authentication.isCode(authentication.code(of: Array(text.utf8)), of: Array(text.utf8)))
  }

  @Test func `a code of another text, key or length is refused`() {
    let key = AuthenticationCode.makeKey()
    let code = AuthenticationCode(key: key).code(of: [1, 2])
    #expect(!AuthenticationCode(key: key).isCode(code, of: [1, 2, 3]))
    #expect(!AuthenticationCode(key: key).isCode(Array(code.dropLast()), of: [1, 2]))
    #expect(!AuthenticationCode(key: key).isCode([], of: [1, 2]))
    #expect(!AuthenticationCode(key: AuthenticationCode.makeKey()).isCode(code, of: [1, 2]))
    #expect(key.count == AuthenticationCode.keyByteCount)
  }
}
