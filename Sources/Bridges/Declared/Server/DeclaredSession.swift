import InAppPurchases
import BridgeCore
package import BridgeRuntime
package import Sessions

/// A declared bridge's part of one session.
@BridgeActor
package final class DeclaredSession: SessionBridge {
  /// The declared configuration.
  let configuration: DeclaredConfiguration
  /// The handlers of the bridge.
  package let handlers: DeclaredHandlers
  /// See ``DeclaredConfiguration/readyAnswers``.
  let readyAnswers: ActionTable<[UInt8]>
  /// The session's id in the control API.
  let id: String
  /// The pages that have the bridge, oldest first.
  private(set) var pages: [DeclaredPage] = []
  private let context: SessionContext
  /// The native side of the preset; nil if it has none.
  private(set) var presetHost: (any PresetHost)?
  /// Hears the store; nil before anybody wants to know.
  private var listening: InAppListening?
  /// Whether the handler wants to hear the store.
  private var handlerListens = false
  /// The unanswered messages that were already noted, by page and name.
  private var unanswered = FirstTimes()

  /// Returns a closure that creates the bridge's part of each session.
  package static func maker(_ configuration: DeclaredConfiguration, _ handlers: DeclaredHandlers) -> BridgeSessionMaker
  {
    let readyAnswers = configuration.readyAnswers
    return { DeclaredSession(configuration, readyAnswers, handlers, $0) }
  }

  private init(
    _ configuration: DeclaredConfiguration, _ readyAnswers: ActionTable<[UInt8]>, _ handlers: DeclaredHandlers,
    _ context: SessionContext
  ) {
    self.configuration = configuration
    self.readyAnswers = readyAnswers
    self.handlers = handlers
    self.context = context
    id = context.sessionID
    handlers.began(self)
    presetHost = configuration.presetHost?(self)
  }

  package func makePage(_ page: any BridgePage) -> (any PageBridge)? { DeclaredPage(self, page) }

  /// The handler, which answers messages that the declaration does not answer; nil if there is none.
  var handler: DeclaredHandler? { handlers.handler(of: id) }

  /// The names of the messages that the declaration answers, sorted.
  package var answeredNames: [String] { configuration.answers.keys.sorted() }

  /// Whether a handler answers the other messages.
  package var hasHandler: Bool { handler != nil }

  // MARK: Pages

  /// Adds a page that has opened. One that has been in the page cache is now the latest.
  ///
  /// - Returns: Whether the page is new.
  func opened(_ page: DeclaredPage) -> Bool {
    let count = pages.count
    pages.removeAll { $0 === page }
    let isNew = pages.count == count
    pages.append(page)
    if !configuration.notices.isEmpty { listen() }
    presetHost?.opened(page)
    if isNew {
      for call in callsOfFirstPage() { page.send(call) }
      handler?.opened(page)
    }
    return isNew
  }

  /// Removes a page that has ended.
  func closed(_ page: DeclaredPage) {
    guard let index = pages.firstIndex(where: { $0 === page }) else { return }
    pages.remove(at: index)
    presetHost?.closed(page)
    handler?.closed(page)
  }

  /// The open page with this id, or the latest one; nil if there is none.
  package func page(_ id: String?) -> DeclaredPage? {
    id.map { id in pages.first { $0.id == id } } ?? pages.last { !$0.isSuspended }
  }

  // MARK: The session's life

  package func received(_ event: SessionEvent) {
    switch event {
    case .restarted(let kind): handlers.tell(kind == .reset ? .reset : .relaunched, id)
    case .device(let event):
      for page in pages where !page.isSuspended {
        for call in calls(at: event) { page.send(call) }
      }
    case .clockChanged:
      guard let clock = context.clock as? SessionClock else { return }
      handlers.tell(.clock(now: clock.now.rfc3339, isFrozen: clock.time.isFrozen), id)
    case .movedElsewhere:
      for page in pages { page.end() }
      handlers.forget(self)
    case .ended:
      listening?.end()
      presetHost?.ended()
      presetHost = nil
      handler?.sessionEnded(id)
    case .deleted: handlers.ended(self)
    default: break
    }
  }

  // MARK: The device

  private func calls(at event: DeviceEvent) -> [DeclaredEvent] {
    guard let lifecycle = configuration.lifecycle else { return [] }
    guard event == .opened else { return lifecycle[event] }
    // Capacitor's native also tells a page that listens later.
    if lifecycle.isOfCordova, !pages.isEmpty { toldOpening = opening }
    return lifecycle.calls(for: opening)
  }

  /// What a page is told of what has launched the app, once it has loaded.
  private func callsOfFirstPage() -> [DeclaredEvent] {
    guard let lifecycle = configuration.lifecycle, lifecycle.isOfCordova, toldOpening != opening else { return [] }
    toldOpening = opening
    return lifecycle.calls(for: opening)
  }

  /// What a page has been told to have opened the app, once it has listened.
  private var toldOpening: AppOpening?

  /// What has opened the app; nil if the person has tapped its icon.
  private var opening: AppOpening? { context.device.opening }

  /// The answer of the preset's native to a page that asks what has launched the app; nil if the message asks something else.
  func answerAboutLaunch(to name: String) -> JSONValue? { configuration.lifecycle?.answer(to: name, opening) }

  /// What the page is told when it listens for what has opened the app: native retains that until somebody listens.
  func retainedCalls(_ name: String, _ body: JSONValue) -> [DeclaredEvent] {
    guard let lifecycle = configuration.lifecycle, toldOpening != opening, lifecycle.listens(name, body, for: opening)
    else { return [] }
    toldOpening = opening
    return lifecycle.calls(for: opening)
  }

  // MARK: The store

  /// The store of the session; nil if it has none.
  var store: (any InAppStore)? { context.store }

  /// Tells the handler of the notices of the store from now on.
  func tellHandlerOfStore() {
    handlerListens = true
    listen()
  }

  /// Tells the pages of the notices of the store from now on.
  func listen() {
    guard listening == nil else { return }
    listening = store?.listen { [weak self] in self?.heard($0) }
  }

  private func heard(_ notice: InAppNotice) {
    for page in pages where !page.isSuspended { page.tell(notice) }
    guard handlerListens, let handler else { return }
    var members = notice.members
    members["state"] = "store"
    // An app has one web view: the handler may speak to it at once.
    members["page"] = page(nil).map { .string($0.id) }
    handler.tell(session: id, members)
  }

  // MARK: The native side of a preset

  /// What the native side of the preset has stored with the session.
  var storedPreset: [String: JSONValue] {
    get { context.profile["preset"]?.objectValue ?? [:] }
    set { context.profile["preset"] = .object(newValue) }
  }

  /// The present time.
  var now: BridgeInstant { context.clock.now }

  /// A random UUID.
  func randomUUID() -> String { context.random.uuid() }

  /// A random number with 32 hexadecimal digits.
  func randomHexadecimal() -> String { context.random.uuid().replacing("-", with: "") }

  // MARK: What the session has

  /// The session's clock.
  var clock: any BridgeClock { context.clock }

  /// Shows a sheet of the handler and waits for the answer. The given page shows it, if there is one.
  func present(_ sheet: DeclaredSheet, on page: BridgeHost.ID?) async -> SheetAnswer {
    let names = (sheet.content["fields"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    let secrets = names.filter { configuration.isSecret($0) }
    return await context.presenter.present(
      Sheet(
        id: context.random.uuid(), kind: configuration.name, content: sheet.content,
        secretFields: sheet.secretFields.union(secrets), asker: page))
  }

  /// Logs a text for the page's developer.
  func log(_ text: String) { context.log("\(configuration.name): \(text)") }

  /// Adds a journal entry about a request for a resource.
  func note(resource text: String) {
    context.journal.append(.decision, action: "\(configuration.name).resource", note: text, cause: nil)
  }

  /// Adds a journal entry about the handler.
  func noteHandler(_ text: String) {
    context.journal.append(.decision, action: "\(configuration.name).handler", note: "The handler \(text)", cause: nil)
  }

  /// Says in the log, the journal and the page's console why the promise of a message stays pending.
  func note(unanswered text: String, on page: any BridgePage) {
    log(text)
    context.journal.append(.decision, page: page.id, action: "unanswered", note: "\(configuration.name): \(text)")
    page.tellDeveloper("\(configuration.name): \(text)")
  }

  /// Says that nothing answers a message, once for each page and name.
  func noteUnanswered(_ name: String, on page: any BridgePage) {
    guard unanswered.isFirst("\(page.id) \(name)") else { return }
    note(
      unanswered:
        "Nothing answers the message \(name): its promise stays pending. Declare an answer, or answer it by hand.",
      on: page)
  }
}
