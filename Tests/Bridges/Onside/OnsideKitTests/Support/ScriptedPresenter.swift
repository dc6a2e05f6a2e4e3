import BridgeCore
import BridgeRuntime

/// A presenter whose sheets are answered by a script, kind by kind, or stay open until the test answers them.
@BridgeActor
final class ScriptedPresenter: SheetPresenter {
  let changes: Changes
  /// Every sheet that was ever presented.
  private(set) var presented: [Sheet] = []
  /// The sheets that are open.
  private(set) var open: [Sheet] = []
  private var script: [String: [SheetAnswer]] = [:]
  private var continuations: [String: CheckedContinuation<SheetAnswer, Never>] = [:]
  private var cancelled: Set<String> = []

  nonisolated init(changes: Changes) {
    self.changes = changes
  }

  /// Answers the next sheets of this kind, in this order.
  func answer(_ kind: String, _ answers: SheetAnswer...) {
    script[kind, default: []] += answers
  }

  /// Waits until a sheet of this kind is open.
  func sheet(_ kind: String) async -> Sheet {
    await changes.until { open.contains { $0.kind == kind } }
    return open.first { $0.kind == kind } ?? Sheet(id: "", kind: kind, content: [:])
  }

  /// Answers an open sheet.
  func answer(_ sheet: Sheet, _ answer: SheetAnswer) {
    close(sheet.id)?.resume(returning: answer)
  }

  func present(_ sheet: Sheet) async -> SheetAnswer {
    presented.append(sheet)
    if var answers = script[sheet.kind], !answers.isEmpty {
      let answer = answers.removeFirst()
      script[sheet.kind] = answers
      changes.note()
      return answer
    }
    open.append(sheet)
    changes.note()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if cancelled.remove(sheet.id) != nil {
          _ = close(sheet.id)
          continuation.resume(returning: .cancel)
        } else {
          continuations[sheet.id] = continuation
        }
      }
    } onCancel: {
      Task { @BridgeActor in
        if let continuation = self.close(sheet.id) {
          continuation.resume(returning: .cancel)
        } else {
          self.cancelled.insert(sheet.id)
        }
      }
    }
  }

  private func close(_ id: String) -> CheckedContinuation<SheetAnswer, Never>? {
    open.removeAll { $0.id == id }
    changes.note()
    return continuations.removeValue(forKey: id)
  }
}
