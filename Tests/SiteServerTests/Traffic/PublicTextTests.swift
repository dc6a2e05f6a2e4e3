import BridgeCore
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct PublicTextTests {
  @Test(arguments: [
    ("/a", "/a"), ("/a?b", "/a?b"), ("/a?b=1&c=2", "/a?b=1&c=2"), ("/a?token=1", "/a?token=left-out"),
    ("/a?b=1&access_token=x=y#c", "/a?b=1&access_token=left-out#c"), ("/a#id_token=1&b=2", "/a#id_token=left-out&b=2"),
    ("/a?%74oken=1", "/a?%74oken=left-out"), ("/a?X-Amz-Signature=1;b=2", "/a?X-Amz-Signature=left-out;b=2"),
    ("https://a.example/?code=1?code=2", "https://a.example/?code=left-out?code=left-out"),
    (
      "/a?next=https%3A%2F%2Fb.example%2F%3Ftoken%3D1%26c%3D2",
      "/a?next=https%3A//b.example/%3Ftoken%3Dleft-out%26c%3D2"
    ),
    ("/a?next=%2Fb%3Fto%3D%252Fc%253Ftoken%253D1", "/a?next=/b%3Fto%3D/c%253Ftoken%253Dleft-out"),
    ("/a?next=%2Fb%3Fc%3D1", "/a?next=%2Fb%3Fc%3D1"), ("/a?b=100%25", "/a?b=100%25"),
    ("/a?account_key=1&authorization_code=2&b=3", "/a?account_key=left-out&authorization_code=left-out&b=3"),
    ("/a?pass=1&totp=2&oauth_verifier=3", "/a?pass=left-out&totp=left-out&oauth_verifier=left-out"),
    ("/a?token", "/a?token"), ("/a?%zz=1", "/a?%zz=1"), ("/a?token%zz=1", "/a?token%zz=left-out"),
    ("/a?user[password]=1&token[]=2", "/a?user[password]=left-out&token[]=left-out"),
    ("/a?user%5Bpassword%5D=1&token+=2&token%00=3", "/a?user%5Bpassword%5D=left-out&token+=left-out&token%00=left-out"),
    ("/a?next=%252Fb%253Ftoken%253D1", "/a?next=/b%253Ftoken%253Dleft-out"),
    (
      "/a?q=%7B%22token%22%3A%221%22%7D&b=%7B%22c%22%3A1%7D",
      "/a?q=%7B%22token%22%3A%22left-out%22%7D&b=%7B%22c%22%3A1%7D"
    ),
    ("/__footbridge/enter/abc?b=1", "/__footbridge/enter/left-out?b=1"),
  ])
  func `secrets in the query and fragment of a URL are left out`(address: String, expected: String) {
    #expect(PublicText.address(address) == expected)
  }

  @Test func `secrets in a form and in JSON are left out, and other values stay`() throws {
    #expect(PublicText.form("a=1&password=2&=3&b") == "a=1&password=left-out&=3&b")
    let value = try JSONValue(parsing: #"{"a":[{"Refresh_Token":"1","b":2}],"tokens":3,"pin":4}"#)
    #expect(PublicText.json(value)?.jsonText == #"{"a":[{"Refresh_Token":"left-out","b":2}],"pin":4,"tokens":3}"#)
    #expect(PublicText.json(["a": ["b": "c"]]) == nil)
    #expect(
      PublicText.json(["link": "https://a.example/?token=1"])?.jsonText
        == #"{"link":"https://a.example/?token=left-out"}"#)
  }

  @Test(arguments: [
    ("Authorization", true), ("X-Api-Key", true), ("X-CSRF-Token", true), ("Set-Cookie", true), ("Accept", false),
  ])
  func `isSecret recognizes secret fields by their names`(name: String, isSecret: Bool) {
    #expect(PublicText.isSecret(name) == isSecret)
  }
}
