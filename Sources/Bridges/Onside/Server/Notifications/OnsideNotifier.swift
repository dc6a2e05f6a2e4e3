package import BridgeCore
package import BridgeRuntime
import OnsideKit
import Sessions

/// Tells the publisher's backend of each change of a session's ledger. A notification is stored together with its change, is sent when the
/// store has both, and stays stored until the backend has it: it is sent at least once, with the same id.
@BridgeActor
package final class OnsideNotifier {
  private let context: SessionContext
  private let sender: NotificationSender
  private let bundleIdentifier: String
  /// The server's clock: that of the session may stand still.
  private let clock: any BridgeClock
  private weak var onside: Onside?
  private var outbox: NotificationOutbox
  /// The notifications that the backend has received during this launch, oldest first.
  private var delivered: [NotificationOutbox.Entry] = []
  /// Why the last attempt to deliver the first waiting notification failed.
  private var lastFailure: [String: JSONValue] = [:]
  private var work: Task<Void, Never>?

  init(_ context: SessionContext, _ sender: NotificationSender, bundleIdentifier: String, clock: any BridgeClock) {
    self.context = context
    self.sender = sender
    self.bundleIdentifier = bundleIdentifier
    self.clock = clock
    outbox = NotificationOutbox(context.state.record.profile.notifications)
  }

  /// The session is launched.
  func begin(_ onside: Onside) {
    self.onside = onside
    act(outbox.begin())
  }

  /// The launch ends. What is stored is sent by the next one.
  func end() {
    work?.cancel()
  }

  /// The state has changed. Call it in the turn of the change, so that it is stored together with its notifications.
  func noteChanges(from former: OnsideState, to present: OnsideState) {
    guard former.ledger != present.ledger else { return }
    let grace: (OnsideSubscription) -> Double = { [onside] in onside?.gracePeriod(of: $0) ?? 0 }
    let now = context.clock.now.millisecondsSinceEpoch
    let changes = present.ledger.changes(since: former.ledger, grace: grace)
    for change in changes.flatMap({ [$0] + (onside?.revocations(by: $0) ?? []) }) {
      let id = context.random.uuid()
      let content = OnsideNotification.content(
        of: change, id: id, bundleIdentifier: bundleIdentifier, grace: change.subscription.map(grace) ?? 0, at: now)
      add(NotificationOutbox.Entry(id: id, content: content))
    }
  }

  /// The store has lost the latest changes, and the notifications about them.
  func rollBack() {
    end()
    outbox = NotificationOutbox(context.state.record.profile.notifications)
    act(outbox.begin())
  }

  // MARK: On demand

  /// The maximum number of delivered notifications that are kept to be sent again.
  private static let deliveredLimit = 100

  /// The notifications as the control API shows them: those that were delivered during this launch, then those that wait, oldest first.
  package var list: [JSONValue] {
    delivered.map { json(of: $0, "delivered") }
      + outbox.entries.enumerated().map { index, entry in
        guard index == 0, outbox.failureCount > 0 else { return json(of: entry, "waiting") }
        let attempts: [String: JSONValue] = ["attempts": .number(Double(outbox.failureCount))]
        return json(of: entry, "waiting", lastFailure.merging(attempts) { $1 })
      }
  }

  /// Sends a notification that tests whether any arrive. Returns it as the control API shows it.
  package func sendTest() -> JSONValue {
    let id = context.random.uuid()
    let entry = NotificationOutbox.Entry(
      id: id,
      content: OnsideNotification.test(
        id: id, bundleIdentifier: bundleIdentifier, at: context.clock.now.millisecondsSinceEpoch))
    add(entry)
    return json(of: entry, "waiting")
  }

  /// Sends a notification again: one that was delivered, after those that wait; one that waits, without a pause. Returns it as the control
  /// API shows it; nil for an unknown one.
  package func resend(_ id: String) -> JSONValue? {
    if let entry = outbox.entries.first(where: { $0.id == id }) {
      let action = outbox.timerFired()
      if action != .none { work?.cancel() }
      act(action)
      return json(of: entry, "waiting")
    }
    guard let index = delivered.firstIndex(where: { $0.id == id }) else { return nil }
    let entry = delivered.remove(at: index)
    add(entry)
    return json(of: entry, "waiting")
  }

  private func json(
    of entry: NotificationOutbox.Entry, _ state: String, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    var members = description(of: entry, state, more)
    members["signedDate"] = entry.content["signedDate"]?.numberValue.map {
      .string(BridgeInstant(millisecondsSinceEpoch: $0).rfc3339)
    }
    return .object(members)
  }

  // MARK: Sending

  private func add(_ entry: NotificationOutbox.Entry) {
    let (action, dropped) = outbox.add(entry)
    store()
    note(entry, "waiting")
    if let dropped {
      note(dropped, "dropped")
      context.noteBound(
        "A session has more notifications than its outbox holds, since onside.notifications.url does not take them. The oldest are dropped."
      )
    }
    act(action)
  }

  private func store() { context.state.record.profile.notifications = outbox.entries }

  private func act(_ action: NotificationOutbox.Action) {
    switch action {
    case .none: break
    case .send(let entry, let attempt):
      // The call that a page makes now is not the cause of this.
      work = MessageCause.$current.withValue(nil) { Task { await send(entry, attempt: attempt) } }
    case .wait(let pause):
      work = MessageCause.$current.withValue(nil) {
        Task { [weak self, clock] in
          do { try await clock.sleep(for: pause) } catch { return }
          guard !Task.isCancelled, let self else { return }
          act(outbox.timerFired())
        }
      }
    }
  }

  private func send(_ entry: NotificationOutbox.Entry, attempt: Int) async {
    // The backend must not learn of a change that is not on the disk. If it was lost, the outbox was rolled back.
    guard await context.state.stored(), !Task.isCancelled else { return }
    let outcome = await sender.send(entry)
    // A server that stops stores nothing more. The next one sends the notification again.
    if Task.isCancelled || context.isStopping { return }
    switch outcome {
    case .delivered(let status):
      note(entry, "delivered", ["status": .number(Double(status)), "attempt": .number(Double(attempt))])
      let next = outbox.delivered()
      delivered.append(entry)
      delivered.removeFirst(max(0, delivered.count - Self.deliveredLimit))
      context.state.quietly { store() }
      act(next)
    case .refused(let status):
      lastFailure = ["status": .number(Double(status))]
      note(entry, "refused", ["status": .number(Double(status)), "attempt": .number(Double(attempt))])
      act(outbox.failed())
    case .unanswered(let reason):
      lastFailure = ["reason": .string(reason)]
      note(entry, "failed", ["reason": .string(reason), "attempt": .number(Double(attempt))])
      act(outbox.failed())
    }
  }

  private func note(_ entry: NotificationOutbox.Entry, _ state: String, _ more: [String: JSONValue] = [:]) {
    context.note("notification", description(of: entry, state, more))
  }

  private func description(
    of entry: NotificationOutbox.Entry, _ state: String, _ more: [String: JSONValue]
  ) -> [String: JSONValue] {
    var members = more
    members["id"] = .string(entry.id)
    members["state"] = .string(state)
    members["type"] = entry.content["notificationType"]
    members["subtype"] = entry.content["subtype"]
    members["order"] = entry.content["data"]?["transactionInfo"]?["transactionId"]
    return members
  }
}
