import BridgeCore

/// Decides which page shows which sheet, as a pure state machine.
///
/// A sheet is shown by the page that asked for it. If nobody in particular asked, or that page cannot show it, the page that was active
/// last does. A page shows one sheet at a time, the oldest first; a sheet stays where it is as long as its page listens.
struct SheetPlacement {
  /// An open sheet.
  struct Waiting {
    let id: String
    /// The page that asked for it; nil if that has ended, or if nobody in particular asked.
    let asker: BridgeHost.ID?
  }

  /// A page that can be told of sheets.
  struct Candidate {
    let id: BridgeHost.ID
    /// Whether the page is in a frame of another origin's page. It then shows no sheet.
    let isEmbedded: Bool
    let lastActivity: Int
  }

  /// What the owner does, in this order.
  enum Action: Equatable {
    /// Show the sheet on the page.
    case present(sheetID: String, page: BridgeHost.ID)
    /// Remove the sheet from the page.
    case dismiss(sheetID: String, page: BridgeHost.ID)
    /// Say once that no page may show the sheet.
    case withhold(sheetID: String, page: BridgeHost.ID)
  }

  private struct Place: Equatable {
    let sheetID: String
    let page: BridgeHost.ID
  }

  /// What the pages show, oldest first.
  private var shown: [Place] = []
  /// What pages showed when they lost their socket. They may still show it when they come back.
  private var leftBehind: [Place] = []
  private var withheld: Set<String> = []

  /// The page that shows a sheet; nil if none does.
  func page(showing sheetID: String) -> BridgeHost.ID? { shown.first { $0.sheetID == sheetID }?.page }

  /// The sheet that a page other than this one shows; nil if there is none. The oldest, if there are several.
  func sheetElsewhere(than page: BridgeHost.ID) -> String? { shown.first { $0.page != page }?.sheetID }

  /// Sheets or pages have changed.
  ///
  /// - Parameters:
  ///   - sheets: The open sheets, oldest first.
  ///   - listening: The pages that can be told of sheets.
  mutating func update(_ sheets: [Waiting], listening: [Candidate]) -> [Action] {
    var actions: [Action] = []
    let isListening = { (page: BridgeHost.ID) in listening.contains { $0.id == page } }
    for place in shown {
      if !isListening(place.page) {
        leftBehind.append(place)
      } else if !sheets.contains(where: { $0.id == place.sheetID }) {
        actions.append(.dismiss(sheetID: place.sheetID, page: place.page))
      } else {
        continue
      }
      shown.removeAll { $0 == place }
    }
    withheld.formIntersection(sheets.map(\.id))
    for sheet in sheets where page(showing: sheet.id) == nil {
      guard let page = choice(for: sheet, among: listening) else { continue }
      if page.isEmbedded {
        if withheld.insert(sheet.id).inserted { actions.append(.withhold(sheetID: sheet.id, page: page.id)) }
      } else if !shown.contains(where: { $0.page == page.id }) {
        shown.append(Place(sheetID: sheet.id, page: page.id))
        actions.append(.present(sheetID: sheet.id, page: page.id))
      }
    }
    for place in leftBehind where isListening(place.page) {
      leftBehind.removeAll { $0 == place }
      if page(showing: place.sheetID) != place.page {
        actions.append(.dismiss(sheetID: place.sheetID, page: place.page))
      }
    }
    return actions
  }

  /// A page has ended or has a new document, so it no longer shows anything.
  mutating func forget(_ page: BridgeHost.ID) {
    shown.removeAll { $0.page == page }
    leftBehind.removeAll { $0.page == page }
  }

  private func choice(for sheet: Waiting, among listening: [Candidate]) -> Candidate? {
    let asker = listening.first { $0.id == sheet.asker }
    if let asker, !asker.isEmbedded { return asker }
    return listening.filter { !$0.isEmbedded }.max { $0.lastActivity < $1.lastActivity }
      ?? asker ?? listening.max { $0.lastActivity < $1.lastActivity }
  }
}
