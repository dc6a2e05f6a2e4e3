import BridgeRuntime
import HTTPTypes
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct ControlTokenTests {
  private let token = ControlToken(Secret("a.token~"))

  @Test(arguments: ["Bearer a.token~", "bearer a.token~"])
  func `a request with the token as bearer is authorized`(value: String) {
    #expect(token.authorizes([.authorization: value]))
  }

  @Test(arguments: ["", "Bearer", "Bearer ", "Bearer a.token", "Basic a.token~", "a.token~"])
  func `any other Authorization field is refused`(value: String) {
    #expect(!token.authorizes([.authorization: value]))
  }

  @Test func `two Authorization fields are refused, even if one is right`() {
    var fields: HTTPFields = [.authorization: "Bearer a.token~"]
    fields.append(HTTPField(name: .authorization, value: "Bearer other"))
    #expect(!token.authorizes(fields))
    #expect(!token.authorizes([:]))
  }

  @Test func `a token has only the characters of RFC 6750`() {
    for text in ["a", "aZ09-._~+/==", ControlToken.random().secret.reveal()] {
      #expect(ControlToken.isWellFormed(text))
    }
    for text in ["", "a b", "=", "a=b", "ä", "a\n"] { #expect(!ControlToken.isWellFormed(text)) }
  }

  @Test func `each random token is different`() {
    #expect(ControlToken.random().secret != ControlToken.random().secret)
  }
}
