import BridgeCore

/// Decides which page shows which sheet. A pure state machine.
///
/// The page that asked for a sheet shows it. If no page asked for it, or that page cannot show it, the last active page does. A page shows
/// one sheet at a time, the oldest first. A sheet stays on its page as long as the page listens.
struct SheetPlacement {
  /// An open sheet.
  struct Waiting {
    let id: String
    /// The page that asked for it; nil if no page did, or if that page has ended.
    let asker: BridgeHost.ID?
  }

  /// A page that can receive messages about sheets.
  struct Candidate {
    let id: BridgeHost.ID
    /// Whether the page is in a frame of a page of another origin. It then shows no sheet.
    let isEmbedded: Bool
    let lastActivity: Int
  }

  /// An action for the owner. Actions are done in order.
  enum Action: Equatable {
    /// Show the sheet on the page.
    case present(sheetID: String, page: BridgeHost.ID)
    /// Remove the sheet from the page.
    case dismiss(sheetID: String, page: BridgeHost.ID)
    /// Tell the page, once, that no page may show the sheet.
    case withhold(sheetID: String, page: BridgeHost.ID)
  }

  private struct Place: Equatable {
    let sheetID: String
    let page: BridgeHost.ID
  }

  /// The shown sheets and their pages, oldest first.
  private var shown: [Place] = []
  /// The sheets on pages that have lost their socket. These pages may still show them when they come back.
  private var possiblyShown: [Place] = []
  private var withheld: Set<String> = []

  /// The page that shows a sheet; nil if none does.
  func page(showing sheetID: String) -> BridgeHost.ID? { shown.first { $0.sheetID == sheetID }?.page }

  /// Returns the oldest sheet that another page shows; nil if there is none.
  func sheetElsewhere(than page: BridgeHost.ID) -> String? { shown.first { $0.page != page }?.sheetID }

  /// Updates the placement after a change of sheets or pages.
  ///
  /// - Parameters:
  ///   - sheets: The open sheets, oldest first.
  ///   - listening: The pages that can receive messages about sheets.
  mutating func update(_ sheets: [Waiting], listening: [Candidate]) -> [Action] {
    var actions: [Action] = []
    let isListening = { (page: BridgeHost.ID) in listening.contains { $0.id == page } }
    for place in shown {
      if !isListening(place.page) {
        possiblyShown.append(place)
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
    for place in possiblyShown where isListening(place.page) {
      possiblyShown.removeAll { $0 == place }
      if page(showing: place.sheetID) != place.page {
        actions.append(.dismiss(sheetID: place.sheetID, page: place.page))
      }
    }
    return actions
  }

  /// Notes that a page has said hello, perhaps after it has missed messages. The next update presents its sheet again, or dismisses it.
  mutating func greeted(_ page: BridgeHost.ID) {
    possiblyShown += shown.filter { $0.page == page }
    shown.removeAll { $0.page == page }
  }

  /// Removes a page that has ended. It no longer shows a sheet.
  mutating func forget(_ page: BridgeHost.ID) {
    shown.removeAll { $0.page == page }
    possiblyShown.removeAll { $0.page == page }
  }

  private func choice(for sheet: Waiting, among listening: [Candidate]) -> Candidate? {
    let asker = listening.first { $0.id == sheet.asker }
    if let asker, !asker.isEmbedded { return asker }
    return listening.filter { !$0.isEmbedded }.max { $0.lastActivity < $1.lastActivity }
      ?? asker ?? listening.max { $0.lastActivity < $1.lastActivity }
  }
}
