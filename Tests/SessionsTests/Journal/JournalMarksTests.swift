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
  func `an image is replaced by its type and size`(text: String, mark: String) {
    let marked = marks.marked(["imageBase64": .string(text), "mimeType": "image/png"])
    #expect(marked["imageBase64"] == .string(mark))
  }

  @Test func `a data URL is replaced by its type and size`() {
    let marked = marks.marked(["a": "data:image/png;base64,AAAA", "b": "data:text/plain,hello"])
    #expect(marked == ["a": "‹image/png, 3 bytes›", "b": "‹text/plain, 5 bytes›"])
  }

  @Test func `marking twice changes nothing`() {
    let members: [String: JSONValue] = [
      "imageBase64": "AAAA", "mimeType": "image/jpeg", "blobBase64": "AAAAAAAA", "token": "secret",
      "address": "data:image/png;base64,AAAA",
    ]
    let once = marks.marked(members)
    #expect(marks.marked(once) == once)
  }
}
