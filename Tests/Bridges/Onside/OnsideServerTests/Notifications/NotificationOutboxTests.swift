import BridgeCore
import Testing

@testable import OnsideServer
@testable import Sessions

@Suite struct NotificationOutboxTests {
  private func entry(_ number: Int) -> NotificationOutbox.Entry {
    NotificationOutbox.Entry(id: "n\(number)", content: ["number": .number(Double(number))])
  }

  private func sent(_ action: NotificationOutbox.Action) -> String? {
    if case .send(let entry, _) = action { entry.id } else { nil }
  }

  @Test func `notifications are sent one at a time and in their order`() {
    var outbox = NotificationOutbox()
    #expect(outbox.begin() == .none)
    #expect(sent(outbox.add(entry(1)).action) == "n1")
    #expect(outbox.add(entry(2)).action == .none)
    #expect(outbox.add(entry(3)).action == .none)
    #expect(sent(outbox.delivered()) == "n2")
    #expect(sent(outbox.delivered()) == "n3")
    #expect(outbox.delivered() == .none)
    #expect(outbox.entries.isEmpty)
    #expect(sent(outbox.add(entry(4)).action) == "n4")
  }

  @Test func `an undelivered notification is sent again after growing pauses`() {
    var outbox = NotificationOutbox()
    _ = outbox.add(entry(1))
    var pauses: [Duration] = []
    for attempt in 2...12 {
      guard case .wait(let pause) = outbox.failed() else { return #expect(Bool(false)) }
      pauses.append(pause)
      #expect(outbox.add(entry(attempt)).action == .none)
      #expect(outbox.timerFired() == .send(entry(1), attempt: attempt))
    }
    #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(pauses.last == NotificationOutbox.longestPause)
    #expect(outbox.delivered() == .send(entry(2), attempt: 1))
    #expect(outbox.failed() == .wait(.seconds(1)))
  }

  @Test func `ending a pause early does not shorten the next one`() {
    var outbox = NotificationOutbox([entry(1)])
    #expect(outbox.begin() == .send(entry(1), attempt: 1))
    #expect(outbox.timerFired() == .none)
    #expect(outbox.failed() == .wait(.seconds(1)))
    #expect(outbox.timerFired() == .send(entry(1), attempt: 2) && outbox.failureCount == 1)
    #expect(outbox.failed() == .wait(.seconds(2)))
  }

  @Test func `a notification is retried without a limit of attempts`() {
    var outbox = NotificationOutbox([entry(1)])
    _ = outbox.begin()
    for _ in 0..<200 {
      #expect(outbox.failed() != .none)
      #expect(sent(outbox.timerFired()) == "n1")
    }
  }

  @Test func `a full outbox drops its oldest entry, but not the one being sent`() {
    var outbox = NotificationOutbox()
    for number in 1...NotificationOutbox.limit { #expect(outbox.add(entry(number)).dropped == nil) }
    #expect(outbox.add(entry(1000)).dropped == entry(2))
    #expect(outbox.entries.count == NotificationOutbox.limit && outbox.entries.first == entry(1))
    _ = outbox.failed()
    #expect(outbox.add(entry(1001)).dropped == entry(1))
    #expect(sent(outbox.timerFired()) == "n3")
  }

  @Test func `the next run starts with the stored notifications`() {
    var profile = SessionProfile()
    profile.notifications = [entry(1), entry(2)]
    var outbox = NotificationOutbox(profile.notifications)
    #expect(outbox.begin() == .send(entry(1), attempt: 1))
    #expect(outbox.begin() == .none)
    #expect(sent(outbox.delivered()) == "n2")
    profile.notifications = []
    #expect(profile == SessionProfile())
  }

  @Test func `an event that does not fit the outbox's state changes nothing`() {
    var outbox = NotificationOutbox()
    #expect(outbox.delivered() == .none && outbox.failed() == .none && outbox.timerFired() == .none)
    _ = outbox.add(entry(1))
    #expect(outbox.timerFired() == .none)
    _ = outbox.failed()
    #expect(outbox.delivered() == .none && outbox.failed() == .none)
    #expect(outbox.entries == [entry(1)])
  }
}
