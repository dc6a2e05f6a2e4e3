import BridgeCore
package import BridgeRuntime
import Delivery

/// The rules and gates of a session, and the calls that wait at them.
@BridgeActor
package final class SessionRules {
  /// A page's call, a flow of the store, or a sheet, which a rule decides.
  package struct Subject: Sendable, Hashable {
    /// A callback of a page.
    struct Callback: Hashable {
      let pageID: String
      let action: String
    }

    /// The action, as rules name it.
    package let action: String
    /// The id of the calling page.
    package var pageID: String?
    /// The call's correlation id.
    package var correlationID: String?
    /// The id that the page's shim has chosen. The page keeps it when it comes back to another server.
    var shimID: String?
    /// Whether it is a message from the server. The next server sends it under another correlation id.
    var isCallback = false

    package init(
      action: String, pageID: String? = nil, correlationID: String? = nil, shimID: String? = nil,
      isCallback: Bool = false
    ) {
      self.action = action
      self.pageID = pageID
      self.correlationID = correlationID
      self.shimID = shimID
      self.isCallback = isCallback
    }

    /// The subject in its stored form.
    fileprivate var stored: StoredRules.Subject {
      StoredRules.Subject(action: action, page: shimID, correlationID: isCallback ? nil : correlationID)
    }
  }

  /// A call, flow or sheet that waits at a gate.
  package struct Waiter {
    package let subject: Subject
    /// The beginning of the wait, on the session's clock.
    package let since: BridgeInstant
    fileprivate let storedNumber: Int?
    fileprivate let continuation: CheckedContinuation<Void, Never>
  }

  /// Called with each decision of a rule, and with the data of the call.
  var onDecision: ((RuleList.Decision, Subject, _ data: () -> JSONValue) -> Void)?
  /// Called when a subject begins to wait at a gate, and when it continues.
  var onGate: ((_ name: String, Subject, _ isOpen: Bool) -> Void)?

  /// Called when a rule kills the app.
  var onKill: (() -> Void)?

  /// Called when the first rule was added, or the last one removed.
  var onNeed: (() -> Void)?

  /// Called with the rules and gates to store when they have changed; nil if they are not stored. `isAwaited` says whether the caller waits
  /// until they are stored.
  var onChange: ((StoredRules, _ isAwaited: Bool) -> Void)?
  /// Whether the rules and gates are stored.
  var isStored: Bool { onChange != nil }

  /// The rules.
  package private(set) var list = RuleList() {
    didSet {
      if list.entries.count != oldValue.entries.count || list.lastNumber != oldValue.lastNumber { size.activate(list) }
      if list.isEmpty != oldValue.isEmpty { onNeed?() }
      changed()
    }
  }
  private var waiting = WaitingDecisions()
  private var gates = GateStateMachine<Waiter>() {
    didSet {
      let releases = gates.openings.values.reduce(0, +)
      if releases != size.releases { size.releases = releases }
    }
  }
  /// What all of them take, of the space of the session.
  private var size = RuleSize() {
    didSet {
      let byteCount = size.byteCount
      space.change(by: byteCount - countedBytes)
      countedBytes = byteCount
    }
  }
  private var countedBytes = 0
  private let space: SharedBytes
  private let clock: any BridgeClock
  /// The random numbers for rules.
  private var random: BridgeRandom
  /// Sends the callback that a rule has put behind the next callback of the same name and page.
  private var callbacksBehind: [Subject.Callback: () -> Void] = [:]
  private var tasks: [Int: (task: Task<Void, Never>, subject: Subject)] = [:]
  private var taskCount = 0
  /// Whether the session has ended. Nothing waits any more then.
  private var hasEnded = false

  init(
    clock: any BridgeClock, random: BridgeRandom = BridgeRandom(), space: SharedBytes = SharedBytes(limit: .max)
  ) {
    self.clock = clock
    self.random = random
    self.space = space
  }

  // MARK: Rules

  /// Whether nothing can decide a call.
  package var isEmpty: Bool { list.isEmpty && waiting.hasNoFormer }

  /// Restores the stored rules and gates of the session's previous server.
  ///
  /// - Parameter read: Reads a rule as it was written. Returns nil if this server cannot read it.
  func restore(_ stored: StoredRules, read: (JSONValue) -> Rule?) {
    list = RuleList(stored, read: read)
    gates.restore(openings: stored.openings)
    waiting.restore(stored, read: read)
    if !waiting.hasNoFormer { size.former = stored.deciding.reduce(0) { $0 + $1.jsonText.utf8.count } }
  }

  /// Rolls back to stored rules and gates, since later changes could not be stored. Waiting calls continue to wait.
  func rollBack(to stored: StoredRules, read: (JSONValue) -> Rule?) {
    gates.restore(openings: stored.openings)
    list = RuleList(stored, after: list, read: read)
  }

  /// Stores the rules and gates after a change.
  private func changed(isAwaited: Bool = true) {
    guard let onChange else { return }
    var stored = StoredRules()
    list.store(in: &stored)
    stored.openings = gates.openings
    waiting.store(in: &stored)
    onChange(stored, isAwaited)
  }

  /// Adds a rule. Returns its id; nil if another active rule has that id, or if there is no room for it.
  package func add(_ rule: Rule) -> String? { hasSpace(for: rule) ? list.add(rule) : nil }

  /// Why there is no space for more rules, releases or bridges, as a sentence.
  package var lackOfSpace: String {
    "The rules, gates and bridges of all sessions would have more than \(space.limit) bytes. Remove some, or delete sessions."
  }

  /// Whether the server has space for one more rule.
  private func hasSpace(for rule: Rule) -> Bool {
    RuleSize.whole(RuleList.byteCount(of: rule)) <= space.room
  }

  /// Why ``add(_:)`` does not add a rule, as a sentence.
  package func objection(toAdding rule: Rule) -> String {
    if !hasSpace(for: rule) { return lackOfSpace }
    if list.hasRoom(for: rule) { return "A rule with the id \(rule.id ?? "") already exists." }
    return list.entries.count < RuleList.limit
      ? "The rules of a session have at most \(RuleList.byteLimit) bytes of JSON together."
      : "The session already has \(RuleList.limit) rules, the maximum."
  }

  /// Removes a rule. Its earlier decisions stay valid. Returns false if there is no rule with this id.
  package func removeRule(_ id: String) -> Bool { list.remove(id) }

  /// Continues with the rules of an earlier launch, and with its sequence of random numbers.
  func carryOver(_ list: RuleList, from former: SessionRules) {
    self.list = list
    random = former.random
  }

  /// Removes all rules.
  package func removeAllRules() { list.removeAll() }

  /// Replaces the rules of an earlier scenario by those of another one. If a rule's id is already in use, the rule gets another one.
  func begin(_ rules: [Rule], ofScenario name: String) {
    list.removeAll(ofScenarios: true)
    for rule in rules where list.add(rule, scenario: name) == nil {
      _ = list.add(rule.unnamed, scenario: name)
    }
  }

  /// Decides a call. Returns nil if no rule decides it, so that the host does.
  package func decide(_ call: RuledCall, about subject: Subject) -> RuleDecision? {
    if let former = waiting.takeFormer(subject.stored) { return decided(former, about: subject, call.data) }
    guard let decision = list.decide(call, draw: random.fraction) else { return nil }
    onDecision?(decision, subject, call.data)
    let end = clock.now.advanced(by: decision.outcome.delay)
    if decision.outcome.isHeld { size.begin(decision.size) }
    var number: Int?
    if isStored, decision.outcome.isHeld {
      number = waiting.add(.init(ruleID: decision.id, rule: decision.rule, subject: subject.stored, end: end))
      changed()
    }
    return decided(
      decision.outcome, about: subject, end: end, storedNumber: number,
      ruleNumber: decision.outcome.isHeld ? decision.size.number : nil)
  }

  /// Continues a decision of another server, for the rest of its wait.
  private func decided(
    _ former: WaitingDecisions.Waiting, about subject: Subject, _ data: () -> JSONValue
  ) -> RuleDecision {
    // `end` has the end of the delay, also if the delay was drawn.
    var outcome = former.rule.outcome.delayed(max(clock.now.duration(to: former.end), .zero))
    if former.isPast { outcome.gate = nil }
    let id = former.ruleID
    let size = RuleSize.Item(number: 0, byteCount: 0)
    onDecision?(
      RuleList.Decision(id: id, size: size, rule: former.rule, outcome: outcome, drawnDelay: nil), subject, data)
    let number = waiting.add(former)
    changed(isAwaited: false)
    if waiting.hasNoFormer, list.isEmpty { onNeed?() }
    return decided(outcome, about: subject, end: former.end, storedNumber: number)
  }

  /// Makes a decided outcome. If it has a gate, the gate expects it from now on.
  func decided(
    _ outcome: Outcome, about subject: Subject, end: BridgeInstant? = nil, storedNumber: Int? = nil,
    ruleNumber: Int? = nil
  ) -> RuleDecision {
    RuleDecision(
      outcome, subject, end: end ?? clock.now.advanced(by: outcome.delay),
      gateID: outcome.gate.map { gates.expect(at: $0) }, storedNumber: storedNumber,
      ruleNumber: ruleNumber
    ) { [weak self] gateID, storedNumber, ruleNumber in
      if let gateID { _ = self?.gates.giveUp(gateID) }
      if let ruleNumber { self?.size.end(ruleNumber) }
      if let storedNumber, self?.waiting.remove(storedNumber) == true { self?.changed(isAwaited: false) }
    }
  }

  /// Decides a sheet before it opens.
  func decide(_ sheet: Sheet) -> RuleDecision? {
    if isEmpty { return nil }
    let subject = Subject(action: RuleAction.sheetPrefix + sheet.kind)
    return decide(RuledCall(subject.action, data: .object(sheet.content)), about: subject)
  }

  // MARK: Waiting

  /// Waits for the delay of an outcome, then at its gate. Returns early if the task is cancelled or the session has ended.
  package func hold(_ decided: RuleDecision) async {
    if hasEnded { return }
    if decided.outcome.delay > .zero {
      do { try await clock.sleep(until: decided.end) } catch { return }
    }
    if let gate = decided.outcome.gate, let id = decided.gateID { await wait(at: gate, id: id, decided) }
  }

  /// Runs `body` after the delay and the gate of an outcome, unless the page or the session ends before.
  func afterHold(_ decided: RuleDecision, _ body: @escaping @BridgeActor () -> Void) {
    guard decided.outcome.isHeld else { return body() }
    if hasEnded { return }
    taskCount += 1
    let number = taskCount
    let task = Task {
      await hold(decided)
      tasks[number] = nil
      if !Task.isCancelled { body() }
    }
    tasks[number] = (task, decided.subject)
  }

  private func wait(at gate: String, id: String, _ decided: RuleDecision) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || hasEnded { return continuation.resume() }
        let waiter = Waiter(
          subject: decided.subject, since: clock.now, storedNumber: decided.storedNumber, continuation: continuation)
        switch gates.arrive(at: gate, id: id, waiter) {
        case .wait: onGate?(gate, decided.subject, false)
        case .pass:
          passed(decided.storedNumber)
          changed(isAwaited: false)
          continuation.resume()
        }
      }
    } onCancel: {
      Task { @BridgeActor in gates.giveUp(id)?.continuation.resume() }
    }
  }

  /// Waits for the delay and the gate of an outcome. Returns early if the page or the session ends.
  package func holdOrEnd(_ decided: RuleDecision) async {
    guard decided.outcome.isHeld, !hasEnded else { return }
    taskCount += 1
    let number = taskCount
    let task = Task { await hold(decided) }
    tasks[number] = (task, decided.subject)
    await task.value
    tasks[number] = nil
  }

  /// Kills the app after the current turn. Nothing else of the decision takes effect.
  func killApp() {
    // If a message of a page is being handled, its session must exist until the end of this turn.
    Task { killAppNow() }
  }

  /// Kills the app at once. Call it only from a task of its own.
  package func killAppNow() { onKill?() }

  // MARK: Callbacks

  /// Whether a rule may decide callbacks, or has put one behind the next one.
  var concernsCallbacks: Bool { !isEmpty || !callbacksBehind.isEmpty }

  /// Sends a callback after the next one of the same name and page. Returns false if it is itself the next one for which another waits: send
  /// it now.
  func putBehindNext(_ callback: Subject.Callback, _ send: @escaping () -> Void) -> Bool {
    guard callbacksBehind[callback] == nil else { return false }
    callbacksBehind[callback] = send
    return true
  }

  /// Notes that a callback was sent. Sends the one that was put behind it.
  func arrived(_ callback: Subject.Callback) { callbacksBehind.removeValue(forKey: callback)?() }

  /// Whether a rule makes something wait.
  var isHolding: Bool { !tasks.isEmpty }

  /// Whether a call or callback with this action waits as a rule says.
  func isHolding(_ action: String) -> Bool { tasks.values.contains { $0.subject.action == action } }

  // MARK: Gates

  /// Everything that waits at a gate, in order of arrival.
  package var holds: [GateStateMachine<Waiter>.Hold] { gates.holds }

  /// Opens a gate for all its waiters, or for the one with this id. If nothing waits there yet, but a rule has this gate or a call is on its
  /// way, the next arrival passes.
  package func openGate(_ idOrName: String) -> GateRelease {
    let opened = gates.open(idOrName, isName: list.hasGate(idOrName))
    for hold in opened {
      onGate?(hold.name, hold.waiter.subject, true)
      passed(hold.waiter.storedNumber)
      hold.waiter.continuation.resume()
    }
    if !opened.isEmpty {
      changed()
      return .opened(opened.count)
    }
    guard list.hasGate(idOrName) || gates.expects(at: idOrName) else { return .unknown }
    guard space.room > 0 else { return .full }
    guard gates.openForNext(idOrName) else { return .tooMany }
    changed()
    return .opened(0)
  }

  /// The maximum number of calls that gates let pass in advance, in all.
  package static var openingLimit: Int { GateStateMachine<Void>.openingLimit }

  private func passed(_ storedNumber: Int?) {
    if let storedNumber { waiting.pass(storedNumber) }
  }

  // MARK: Ends

  /// Cancels the waits of an ended page.
  func forget(pageID: String, shimID: String?) {
    if let shimID, waiting.forgetFormer(page: shimID) { changed(isAwaited: false) }
    for (task, subject) in tasks.values where subject.pageID == pageID { task.cancel() }
    for callback in callbacksBehind.keys where callback.pageID == pageID { callbacksBehind[callback] = nil }
  }

  /// Ends all waits and removes all rules, since the session ends.
  func end() {
    hasEnded = true
    onChange = nil
    list.removeAll()
    callbacksBehind = [:]
    for (task, _) in tasks.values { task.cancel() }
    for hold in gates.removeAll() { hold.waiter.continuation.resume() }
    size = RuleSize()
  }
}

/// Journal entries about rules.
extension Journal {
  /// Adds an entry for a decision.
  func note(_ decision: RuleList.Decision, about subject: SessionRules.Subject) {
    var data: [String: JSONValue] = ["rule": .string(decision.id), "then": decision.rule.source["then"] ?? [:]]
    if let delay = decision.drawnDelay { data["delay"] = .number(delay / .milliseconds(1)) }
    append(
      .decision, page: subject.pageID, action: subject.action, correlationId: subject.correlationID, data: data)
  }

  /// Adds an entry for a call that begins to wait at a gate, or continues.
  func note(gate: String, _ subject: SessionRules.Subject, isOpen: Bool) {
    append(
      .decision, page: subject.pageID, action: subject.action, correlationId: subject.correlationID,
      data: ["gate": .string(gate), "open": .bool(isOpen)])
  }
}
