import BridgeRuntime
import Delivery
import Testing

@testable import Sessions

@Suite struct DepartedPagesTests {
  private func page(_ number: Int) -> DepartedPages.Page {
    let limits = LinkLimits(FootbridgeLimits())
    let link = PageLink(
      id: "p", shimID: nil, owners: ActionOwners([], others: .page), limits: limits,
      space: SessionSpace(byteLimit: 1 << 20), isDurable: false)
    return DepartedPages.Page(
      name: PageName(number: number), document: nil, link: link.departed(answerByteLimit: 0))
  }

  private func time(_ seconds: Double) -> BridgeInstant { BridgeInstant(millisecondsSinceEpoch: seconds * 1000) }

  @Test func `a departed page is returned once`() {
    var pages = DepartedPages()
    pages.remember(page(1), as: "a", at: time(0))
    #expect(pages.take("b") == nil)
    #expect(pages.take("a")?.name.number == 1)
    #expect(pages.take("a") == nil)
  }

  @Test func `the oldest departed page is dropped above the limit`() {
    var pages = DepartedPages()
    for number in 0...DepartedPages.limit { pages.remember(page(number), as: "\(number)", at: time(0)) }
    #expect(pages.take("0") == nil)
    #expect(pages.take("1") != nil)
    #expect(pages.take("\(DepartedPages.limit)") != nil)
  }

  @Test func `a departed page is forgotten after 15 minutes`() {
    var pages = DepartedPages()
    pages.remember(page(1), as: "a", at: time(0))
    pages.remember(page(2), as: "b", at: time(899))
    #expect(pages.take("a") != nil)
    pages.remember(page(1), as: "a", at: time(0))
    pages.remember(page(3), as: "c", at: time(1000))
    #expect(pages.take("a") == nil)
    #expect(pages.take("b") != nil)
  }
}
