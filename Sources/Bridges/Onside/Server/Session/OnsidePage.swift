import BridgeCore
import BridgeRuntime
import OnsideKit
import Sessions

/// The store's part of one page: OnsideJS, and the linter's rules.
@BridgeActor
final class OnsidePage: PageBridge {
  private let inner: OnsideJS
  private let lint: OnsideLint
  private let page: any BridgePage
  private var hearing = CallbackHearing()
  private var rejections = UncaughtRejections()
  private var timeout: Task<Void, Never>?
  private var hasCalled = false
  private var hasEnded = false
  /// Whether the page was loaded again while transactions were in the queue, and has not looked at them.
  private var owesLook = false

  init(_ inner: OnsideJS, _ lint: OnsideLint, page: any BridgePage) {
    self.inner = inner
    self.lint = lint
    self.page = page
  }

  /// The page's id in the control API.
  var id: String { page.id }

  func received(_ event: PageEvent) {
    switch event {
    case .expected: inner.expect(host: page.host)
    case .opened:
      owesLook = lint.opened()
      inner.open(host: page.host)
    case .ended: end()
    case .observed(let observation): observed(observation)
    case .posted: break
    }
  }

  private func end() {
    concludeLint(isOver: true)
    timeout?.cancel()
    hasEnded = true
    lint.ended(self)
    inner.detach()
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard let function = OnsideJS.function(calledBy: request) else { return false }
    let call = function.call
    // The linter and the call need the same data. Reading them twice costs "loadProducts, twenty products" a sixth more instructions.
    let data = Self.lintReadsData(of: call) ? request.payload.data : nil
    look(at: call, data)
    let isMadeToFail = lint.fails(call)
    if isMadeToFail { lint.settingFails(call, data ?? [:]) }
    let observed = ObservedResponder(responder, of: self, action: call.action, isMadeToFail: isMadeToFail)
    inner.handle(request, of: function, data: data, observed)
    return true
  }

  // MARK: The linter

  /// Whether a rule of the linter needs the data of a call.
  private static func lintReadsData(of call: OnsideCall) -> Bool {
    switch call {
    case .loadProducts, .purchase, .finishTransaction, .trackEvent: true
    default: false
    }
  }

  private func look(at call: OnsideCall, _ data: [String: JSONValue]?) {
    if !hasCalled {
      hasCalled = true
      lint.begins(self)
    }
    hearing.called(call)
    if call == .getTransactions { owesLook = false }
    guard let data else { return }
    if call == .loadProducts {
      lint.loads((data["productIdentifiers"]?.arrayValue ?? []).compactMap(\.stringValue), page)
    } else if call == .purchase, let product = data["productIdentifier"]?.stringValue {
      lint.buys(product, page: id)
    } else if call == .finishTransaction, let transaction = data["id"]?.stringValue {
      lint.finishes(transaction, page: id)
    }
    for member in OnsideMistakes.nulls(of: call, data) {
      lint.report("L14", page: id, "\(member) of \(call.rawValue) is null.")
    }
  }

  /// The host has rejected a call; nil for one that a setting of the session has made to fail.
  func rejects(_ call: RejectedCalls.Call?, code: String) {
    if !hasEnded { lint.rejects(call, of: id, code: code) }
  }

  private func observed(_ observation: LintObservation) {
    if let report = CallbackHearing.Report(rawValue: observation.kind) { return callbackReported(report, observation) }
    switch observation.kind {
    case "members":
      for name in observation.names {
        guard let meant = OnsideMistakes.meantCallback(by: name) else { continue }
        lint.report("L03", page: id, "window.onside.\(name) is no callback; \(meant) is.")
      }
    case "answered":
      guard let callback = observation["callback"], let type = observation["type"] else { return }
      lint.report("L15", page: id, "\(callback) has returned \(type).")
    case "unasked":
      lint.report("L17", page: id, "restoreCompletedTransactions, and nobody has touched the page yet.")
    case "uncaught":
      guard let code = observation["code"], let call = lint.uncaught(code: code, by: id) else { return }
      let rejection = UncaughtRejections.Rejection(code: code, call: call)
      report(rejections.uncaught(rejection, number: observation["number"], at: lint.serverClock.now))
      waitForCatch()
    case "caught": if let number = observation["number"] { rejections.caught(number: number) }
    default: break
    }
  }

  private func report(_ rejections: [UncaughtRejections.Rejection]) {
    for rejection in rejections {
      let (call, code) = (rejection.call, rejection.code)
      lint.report("L10", page: id, call: call.cursor, "\(call.action) was rejected with \(code), and nobody caught it.")
    }
  }

  /// Whether the page may still catch a rejection.
  var mayStillCatch: Bool { rejections.isWaiting }

  private func waitForCatch() {
    guard timeout == nil, let deadline = rejections.nextDeadline else { return }
    timeout = Task { [weak self, clock = lint.serverClock] in
      do { try await clock.sleep(until: deadline) } catch { return }
      guard let self else { return }
      timeout = nil
      report(rejections.overdue(at: clock.now))
      waitForCatch()
    }
  }

  private func callbackReported(_ report: CallbackHearing.Report, _ observation: LintObservation) {
    guard let callback = observation["callback"].flatMap(OnsideCallback.init(rawValue:)), !lint.isDecided(callback)
    else {
      return
    }
    let rule = hearing.reported(report, callback, hasOtherPrices: lint.hasOtherPrices)
    guard let rule, !lint.hasOther(than: self) else { return }
    let about =
      report == .late
      ? "\(callback.rawValue) was assigned after native had called it."
      : "Native called \(callback.rawValue), which has no handler."
    lint.report(rule, page: id, about)
  }

  /// The page, or its test, ends. `isOver` says whether it can correct nothing any more.
  func concludeLint(isOver: Bool) {
    if isOver { report(rejections.overdue(at: nil)) }
    if hearing.ended(), !lint.hasOther(than: self), !lint.isDecided(.onTransactionsUpdated) {
      lint.report("L02", page: id, "Native called onTransactionsUpdated, which has no handler.")
    }
    if owesLook, hasCalled, !lint.isDecided(OnsideCall.getTransactions) {
      owesLook = false
      lint.report("L08", page: id, "The page never called getTransactions, although transactions were in the queue.")
    }
  }
}

/// Tells the linter of a call that the host rejects.
private struct ObservedResponder: BridgeResponder {
  private let inner: any BridgeResponder
  private let page: OnsidePage
  /// Nil if a setting of the session makes the call fail.
  private let call: RejectedCalls.Call?

  @BridgeActor
  init(_ inner: any BridgeResponder, of page: OnsidePage, action: String, isMadeToFail: Bool) {
    self.inner = inner
    self.page = page
    call = isMadeToFail ? nil : RejectedCalls.Call(action: action, cursor: Journal.cause)
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    if let error { Task { @BridgeActor in page.rejects(call, code: error.code) } }
    inner.respond(status: status, data: data, error: error)
  }

  func respond(status: BridgeResponseStatus, text: [UInt8]) {
    inner.respond(status: status, text: text)
  }
}
