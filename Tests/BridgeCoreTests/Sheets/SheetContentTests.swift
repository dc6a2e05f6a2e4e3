import BridgeCore
import Testing

@Suite struct SheetContentTests {
  private let members = SheetContent.members(["price": 1])
  private let later = SheetContent.later { ["price": 1] }

  @Test func `content that is made later has the same members, and is equal`() {
    #expect(later.members == ["price": 1])
    #expect(later == members)
    #expect(later.hashValue == members.hashValue)
    #expect(later != .members([:]))
  }

  @Test(arguments: [true, false]) func `adding returns the content with one more member`(isLater: Bool) {
    let content = (isLater ? later : members).adding("theme", "dark")
    #expect(content.members == ["price": 1, "theme": "dark"])
  }

  @Test func `a sheet makes its content for each reader, and the made sheet has it`() {
    let sheet = Sheet(id: "1", kind: "payment", content: later)
    #expect(sheet.content == ["price": 1])
    guard case .members(["price": 1]) = sheet.made.storedContent else {
      Issue.record("The content is not made.")
      return
    }
    #expect(sheet.made == sheet)
  }
}
