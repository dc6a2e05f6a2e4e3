import BridgeCore
import BridgeServer
import HTTPTypes

/// Routes of native sheets.
enum SheetRoutes {
  /// The routes of a server with these bridges.
  static func all(of bridges: BridgeList) -> [ControlRoute] {
    let limits = bridges.all.compactMap { ($0 as? any ConfigurableBridge)?.sheetChoices.byteLimit }
    return all(answerLimit: limits.max() ?? ControlRoute.usualBodyLimit)
  }

  private static func all(answerLimit: Int) -> [ControlRoute] {
    [
      ControlRoute(.get, "/sessions/{session}/sheets") { request in
        let sheets = try await request.session().sheets.open
        return .json(["sheets": .array(sheets.map(\.json))])
      },
      ControlRoute(.post, "/sessions/{session}/sheets/{sheet}/answer", bodyLimit: answerLimit) { request in
        let session = try await request.session()
        let node = try SheetAnswerNode(try await request.body())
        let id = request.parameter("sheet")
        let sheet = session.sheets.open.first { $0.sheet.id == id }?.sheet
        let bridge = sheet.flatMap { session.bridgeTable.bridge(ofSheet: $0.kind) }
        guard let sheet, session.sheets.answer(id, with: try node.answer(to: sheet.kind, sheet, of: bridge)) else {
          throw ControlProblem.notFound(
            "There is no open sheet \(id) in session \(session.id). It may have been answered already.")
        }
        return .noContent
      },
    ]
  }
}
