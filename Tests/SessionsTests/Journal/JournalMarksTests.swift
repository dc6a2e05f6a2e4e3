import BridgeCore
import Testing

@testable import Sessions

@Suite struct JournalMarksTests {
  private let marks = JournalMarks()

  @Test(
    arguments: [
      ("AAAA", "‹image/png, 3 bytes›"), ("AAA=", "‹image/png, 2 bytes›"), ("AA==", "‹image/png, 1 bytes›"),
      ("AAA", "‹image/png, 2 bytes›"), ("AA", "‹image/png, 1 bytes›"), ("", "‹image/png, 0 bytes›"),
    ] as [(String, String)])
  func `an image is told by its type and the size of its bytes`(text: String, mark: String) {
    let marked = marks.marked(["imageBase64": .string(text), "mimeType": "image/png"])
    #expect(marked["imageBase64"] == .string(mark))
  }

  @Test func `the address of an image is told by the size of its bytes`() {
    let marked = marks.marked(["a": "data:image/png;base64,AAAA", "b": "data:text/plain,hello"])
    #expect(marked == ["a": "‹image/png, 3 bytes›", "b": "‹text/plain, 5 bytes›"])
  }

  @Test func `what is marked is not marked again`() {
    let members: [String: JSONValue] = [
      "imageBase64": "AAAA", "mimeType": "image/jpeg", "blobBase64": "AAAAAAAA", "token": "secret",
      "address": "data:image/png;base64,AAAA",
    ]
    let once = marks.marked(members)
    #expect(marks.marked(once) == once)
  }
}
