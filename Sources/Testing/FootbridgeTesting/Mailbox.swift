import BridgeRuntime

/// Elements that nobody has taken yet, and readers that wait for more. Each element is taken once.
@BridgeActor
final class Mailbox<Element: Sendable> {
  private struct Reader {
    let number: Int
    let isWanted: (Element) -> Bool
    let continuation: CheckedContinuation<Element?, Never>
  }

  private var unread: [Element] = []
  private var readers: [Reader] = []
  private var lastReader = 0

  /// Adds an element.
  func put(_ element: Element) {
    guard let index = readers.firstIndex(where: { $0.isWanted(element) }) else { return unread.append(element) }
    readers.remove(at: index).continuation.resume(returning: element)
  }

  /// Takes the first wanted element, or waits for one. Nil if none comes within `timeout`, or if the task is cancelled.
  func take(within timeout: Duration, where isWanted: @escaping @Sendable (Element) -> Bool) async -> Element? {
    if let index = unread.firstIndex(where: isWanted) { return unread.remove(at: index) }
    lastReader += 1
    let number = lastReader
    let alarm = Task {
      try? await Task.sleep(for: timeout)
      giveUp(number)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { readers.append(Reader(number: number, isWanted: isWanted, continuation: $0)) }
    } onCancel: {
      alarm.cancel()
    }
  }

  private func giveUp(_ number: Int) {
    guard let index = readers.firstIndex(where: { $0.number == number }) else { return }
    readers.remove(at: index).continuation.resume(returning: nil)
  }
}
