import BridgeCore
import Testing

@testable import Sessions

@Suite struct JournalMarksTests {
  @Test(arguments: [
    "authorization", "Authorization", "Set-Cookie", "refresh_token", "accessToken", "password", "api_key",
    "connectToken", "newPassword", "session-cookie",
  ])
  func `what is called like a secret is one, however deep it lies`(name: String) {
    let value: [String: JSONValue] = ["a": [["b": .object([name: "hush"])]], "c": .object([name: ["hush"]])]
    let marked = JSONValue.object(JournalMarks().marked(value)).jsonText
    #expect(!marked.contains("hush"))
    #expect(marked.contains("‹secret›"))
  }

  @Test func `a bearer token and a JWS are recognised by their form`() {
    let marked = JournalMarks().marked(["a": "Bearer hush", "b": ["eyJhIjoxfQ.eyJiIjoyfQ.c2ln"], "c": "eyJ is no JWS"])
    #expect(marked == ["a": "‹secret›", "b": ["‹JWS, 26 bytes›"], "c": "eyJ is no JWS"])
  }

  @Test func `of images their type and size are left`() {
    let marked = JournalMarks().marked([
      "imageBase64": "AAECAw==", "mimeType": "image/png", "imageWidth": 2, "photo": "data:image/jpeg;base64,AAEC",
    ])
    #expect(marked["imageBase64"] == "‹image/png, 4 bytes›")
    #expect(marked["photo"] == "‹image/jpeg;base64, 27 bytes›")
    #expect(marked["imageWidth"] == 2)
  }

  @Test func `long texts give way to their length`() {
    let text = String(repeating: "a", count: JournalMarks.textLimit + 1)
    #expect(JournalMarks().marked(["a": .string(text)]) == ["a": .string("‹text, \(text.count) bytes›")])
  }

  @Test func `a bridge adds names of secrets, and names that only look like secrets`() {
    let marks = JournalMarks(secretMembers: ["pin"], publicMembers: ["appaccounttoken"])
    #expect(
      marks.marked(["PIN": 1234, "appAccountToken": "b4c0", "token": "hush"])
        == ["PIN": "‹secret›", "appAccountToken": "b4c0", "token": "‹secret›"])
  }

  @Test func `everything else stays as it is`() {
    let members: [String: JSONValue] = [
      "signedIn": true, "n": 1.5, "nothing": nil, "token": nil, "list": [1, "two", [:]],
    ]
    #expect(JournalMarks().marked(members) == members)
  }
}
