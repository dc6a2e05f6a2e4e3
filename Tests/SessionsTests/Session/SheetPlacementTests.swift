import BridgeCore
import BridgeRuntime
import Testing

@testable import Sessions

@Suite @BridgeActor struct SheetPlacementTests {
  private let pages = (0..<3).map { _ in BridgeHost(hostVersion: "1") }
  private var placement = SheetPlacement()

  /// A page that can show sheets. The higher its number, the later it was active.
  private func page(_ number: Int, embedded: Bool = false) -> SheetPlacement.Candidate {
    SheetPlacement.Candidate(
      id: pages[number].id, isEmbedded: embedded, lastActivity: number)
  }

  private func sheet(_ id: String, from number: Int? = nil) -> SheetPlacement.Waiting {
    SheetPlacement.Waiting(id: id, asker: number.map { pages[$0].id })
  }

  @Test mutating func `a sheet is shown on the page that asked for it, also if another was active later`() {
    #expect(
      placement.update([sheet("a", from: 0)], listening: [page(0), page(1)]) == [
        .present(sheetID: "a", page: pages[0].id)
      ])
    #expect(placement.page(showing: "a") == pages[0].id)
  }

  @Test mutating func `a sheet without a page is shown on the page that was active last`() {
    #expect(
      placement.update([sheet("a")], listening: [page(0), page(2), page(1)]) == [
        .present(sheetID: "a", page: pages[2].id)
      ])
  }

  @Test mutating func `each page shows its own sheets one after another`() {
    let listening = [page(0), page(1)]
    let (first, second, other) = (sheet("a", from: 0), sheet("b", from: 0), sheet("c", from: 1))
    #expect(
      placement.update([first, second, other], listening: listening) == [
        .present(sheetID: "a", page: pages[0].id), .present(sheetID: "c", page: pages[1].id),
      ])
    #expect(placement.update([first, second, other], listening: listening).isEmpty)
    #expect(
      placement.update([second, other], listening: listening) == [
        .dismiss(sheetID: "a", page: pages[0].id), .present(sheetID: "b", page: pages[0].id),
      ])
  }

  @Test mutating func `a sheet moves when its page disconnects, and is removed there when it reconnects`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0), page(1)])
    #expect(
      placement.update([sheet("a", from: 0)], listening: [page(1)]) == [.present(sheetID: "a", page: pages[1].id)])
    #expect(
      placement.update([sheet("a", from: 0)], listening: [page(0), page(1)]) == [
        .dismiss(sheetID: "a", page: pages[0].id)
      ])
  }

  @Test mutating func `a sheet stays on the only page while that is disconnected`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0)])
    #expect(placement.update([sheet("a", from: 0)], listening: []).isEmpty)
    #expect(
      placement.update([sheet("a", from: 0)], listening: [page(0)]) == [.present(sheetID: "a", page: pages[0].id)])
  }

  @Test mutating func `a sheet answered meanwhile is removed when its page reconnects`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0)])
    #expect(placement.update([], listening: []).isEmpty)
    #expect(placement.update([], listening: [page(0)]) == [.dismiss(sheetID: "a", page: pages[0].id)])
    #expect(placement.update([], listening: [page(0)]).isEmpty)
  }

  @Test mutating func `a page that says hello gets its sheet again`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0)])
    placement.greeted(pages[0].id)
    #expect(
      placement.update([sheet("a", from: 0)], listening: [page(0)]) == [.present(sheetID: "a", page: pages[0].id)])
  }

  @Test mutating func `a sheet answered before its page says hello is removed there`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0)])
    placement.greeted(pages[0].id)
    #expect(placement.update([], listening: [page(0)]) == [.dismiss(sheetID: "a", page: pages[0].id)])
    #expect(placement.update([], listening: [page(0)]).isEmpty)
  }

  @Test mutating func `a page that has ended is told nothing`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0)])
    placement.forget(pages[0].id)
    #expect(placement.update([], listening: [page(0)]).isEmpty)
  }

  @Test mutating func `a sheet for a page in a foreign frame is withheld once`() {
    let framed = page(0, embedded: true)
    #expect(
      placement.update([sheet("a", from: 0)], listening: [framed]) == [.withhold(sheetID: "a", page: pages[0].id)])
    #expect(placement.update([sheet("a", from: 0)], listening: [framed]).isEmpty)
    #expect(
      placement.update([sheet("a", from: 0)], listening: [framed, page(1)]) == [
        .present(sheetID: "a", page: pages[1].id)
      ])
  }

  @Test mutating func `sheetElsewhere returns the sheet that another page shows`() {
    _ = placement.update([sheet("a", from: 0)], listening: [page(0), page(1)])
    #expect(placement.sheetElsewhere(than: pages[1].id) == "a")
    #expect(placement.sheetElsewhere(than: pages[0].id) == nil)
  }
}
