public import BridgeRuntime
import DequeModule
import Essentials
public import class Foundation.NSObject
public import Observation

/// Routes the messages of one page (GBGBridge reference, "BridgeHost").
///
/// The host keeps every message of the page in ``receivedMessages`` and reports it to the ``delegate``. A request goes to the handler of its
/// action. Without one, it waits in ``pendingRequests`` for ``respond(to:status:data:error:)``.
///
/// The host belongs to `BridgeActor`, as the original belongs to the main actor. The original's `@Published` properties are `@Observable`
/// here.
///
/// ```swift
/// let host = BridgeHost(hostVersion: "1.0.0")
/// host.registerCustomCapability("nfc.read", version: "1.0") { request, responder in
///   responder.respond(status: .success, data: ["chipRead": .bool(true)], error: nil)
/// }
/// host.documentCapture.handler = { _ in await host.documentCapture.awaitCompletion() }
/// ```
@BridgeActor
@Observable
open class BridgeHost: NSObject, ScriptMessageHandler, Identifiable {
  @ObservationIgnored var handlers = ActionTable<RegisteredHandler>()
  @ObservationIgnored private weak var attachedWebView: WebView?
  /// The page of the server that the host serves.
  @ObservationIgnored private(set) weak var servedWebView: WebView?
  /// Intercepts requests before they are routed. Not in the reference.
  @ObservationIgnored public var interceptor: (any BridgeRequestInterceptor)?
  /// Observes messages and requests without a handler.
  @ObservationIgnored public weak var delegate: (any BridgeHostDelegate)?
  /// The cached text of the answer to `capability.query`; nil after a change.
  @ObservationIgnored var capabilityAnswer: [UInt8]?
  @ObservationIgnored var madeSlots: CaptureSlots?
  /// The clock for the timestamps of messages to the page, and for the delays of declared answers.
  @ObservationIgnored public private(set) final var clock: any BridgeClock
  /// The messages of ``receivedMessages``.
  @ObservationIgnored var storedMessages = Deque<BridgeMessage>()
  /// Whether anybody has read ``receivedMessages``. Until then nobody can observe it, and changes need not be announced. (Without this, 5 %
  /// more instructions for a `query`.)
  @ObservationIgnored var isReceivedMessagesRead = false
  /// How many received messages are kept; 0 keeps none. By default all are kept, as in the reference. Footbridge's server sets a limit, since
  /// it may run for days.
  @ObservationIgnored public var receivedMessagesLimit = Int.max

  /// The messages received from the page, oldest first: all, or only the latest ones if there is a limit.
  @ObservationIgnored public var receivedMessages: [BridgeMessage] {
    get {
      access(keyPath: \.receivedMessages)
      isReceivedMessagesRead = true
      return Array(storedMessages)
    }
    set {
      receivedMessagesByteCount = newValue.reduce(0) { $0 + $1.byteCount }
      withMutation(keyPath: \.receivedMessages) { storedMessages = Deque(newValue) }
    }
  }
  /// Requests without a handler. They wait for ``respond(to:status:data:error:)``.
  public var pendingRequests: [BridgeMessage] = []
  /// Whether each capability of the configuration is supported. ``init(configuration:clock:random:)`` sets it; `capability.query` then answers
  /// with the present values.
  public var capabilities: [String: Bool] {
    didSet { capabilityAnswer = nil }
  }
  /// The most recent error, until ``clearError()``.
  public var lastError: String?
  /// The slot of `camera.document`, whose requests have the action `camera.document.capture`.
  public var documentCapture: CaptureCapability { capture.document }
  /// The slot of `camera.selfie`, whose requests have the action `camera.selfie.capture`.
  public var selfieCapture: CaptureCapability { capture.selfie }
  /// Prepares the slots. Called once, when they are first needed; on most pages they never are.
  @ObservationIgnored package var prepareSlots: ((BridgeHost) -> Void)?
  /// The configuration given at initialisation.
  @ObservationIgnored public private(set) var configuration: BridgeConfiguration
  /// The maximum size of all kept messages together, approximately, in bytes. Above it, the host drops the oldest ones, but never the newest.
  /// No limit by default, as in the reference.
  @ObservationIgnored public var receivedMessagesByteLimit = Int.max
  /// How many requests may wait, at least 1. Above it, the host answers the oldest with the error `BUSY`, and sets ``lastError``. The
  /// reference has no limit.
  @ObservationIgnored public var pendingRequestsLimit = 1000
  /// The result of the served page's search for a camera; nil if there is none.
  @ObservationIgnored package var camera: CameraDetector.Result?
  /// Runs code of the app that handles messages of the served page; nil if it needs nothing around it.
  @ObservationIgnored package var surroundings: ((() -> Void) -> Void)?
  /// The source of correlation ids for events and requests to the page.
  @ObservationIgnored public private(set) final var random: BridgeRandom

  /// The families that handle actions without a handler of their own, except those in `familyExceptions`.
  @ObservationIgnored var families: [any BridgeHandlerFamily] = []
  /// The families of the served page, removed with it. Families that the app has registered have precedence.
  @ObservationIgnored package var servedFamilies: [any BridgeHandlerFamily] = []
  @ObservationIgnored var familyExceptions: Set<String> = []
  @ObservationIgnored var customCapabilities: [String: CustomCapability] = [:] {
    didSet { capabilityAnswer = nil }
  }
  @ObservationIgnored var openRequests: [String: (BridgeMessage?) -> Void] = [:]
  /// The size of the kept messages, in bytes.
  @ObservationIgnored var receivedMessagesByteCount = 0 {
    didSet { receivedMessagesRoom = shareReceivedBytes?(receivedMessagesByteCount - oldValue) ?? .max }
  }
  /// How many more bytes may be kept, beside those of other hosts.
  @ObservationIgnored var receivedMessagesRoom = Int.max
  /// Notes that the kept messages have so many more bytes, or fewer, and returns how many more may be kept. Below 0, the host drops the oldest.
  /// The served page sets it.
  @ObservationIgnored package var shareReceivedBytes: ((_ change: Int) -> Int)?

  /// Creates a host that answers `capability.query` with its slots and custom capabilities, as they are at that time.
  ///
  /// - Parameters:
  ///   - hostVersion: The app's version, such as `1.0.0`.
  ///   - clock: The clock for timestamps. A host that serves a page of the server uses the clock of the page's session instead.
  ///   - random: The source of correlation ids. The same applies to it.
  public convenience init(
    hostVersion: String,
    clock: any BridgeClock = SystemBridgeClock(),
    random: BridgeRandom = BridgeRandom()
  ) {
    self.init(
      configuration: BridgeConfiguration(hostVersion: hostVersion, capabilities: [:]),
      clock: clock,
      random: random
    )
    register(answering: HostCapabilityHandler.present)
  }

  /// Creates a host that answers `capability.query` with the capabilities of `configuration`: only whether each is supported, as in the
  /// reference. It still routes requests to its slots and custom capabilities.
  ///
  /// - Parameters:
  ///   - configuration: The app's version, its capabilities, and its bootstrap script.
  ///   - clock: The clock for timestamps. A host that serves a page of the server uses the clock of the page's session instead.
  ///   - random: The source of correlation ids. The same applies to it.
  public init(
    configuration: BridgeConfiguration,
    clock: any BridgeClock = SystemBridgeClock(),
    random: BridgeRandom = BridgeRandom()
  ) {
    self.configuration = configuration
    self.clock = clock
    self.random = random
    capabilities = configuration.capabilities.mapValues(\.supported)
    super.init()
    register(answering: HostCapabilityHandler.declared)
  }

  // MARK: The page

  /// Attaches the web view that messages go to. The host holds it weakly.
  ///
  /// While the host serves a page of the server, its messages go to that page instead.
  open func attach(webView: WebView) {
    attachedWebView = webView
    webView.attachedHost = self
  }

  /// Starts to serve a page of the server, with the clock and the ids of its session. Stops serving an earlier page.
  ///
  /// The host holds the page weakly. The page calls ``detach(served:)`` or ``release(served:)`` when it goes.
  package func serve(_ webView: WebView, clock: any BridgeClock, random: BridgeRandom) {
    if servedWebView != nil { endPage() }
    servedFamilies = []
    camera = nil
    surroundings = nil
    servedWebView = webView
    self.clock = clock
    self.random = random
  }

  /// Ends the open requests to the page `webView` and its captures, and stops serving it. Has no effect if the host already serves another
  /// page.
  package func detach(served webView: WebView) {
    guard servedWebView === webView else { return }
    release(served: webView)
    endPage()
  }

  /// Stops serving the page `webView`, but does not end open requests and captures. Has no effect if the host already serves another page.
  package func release(served webView: WebView) {
    guard servedWebView === webView else { return }
    servedWebView = nil
    interceptor = nil
    servedFamilies = []
    surroundings = nil
    prepareSlots = nil
  }

  /// The kept messages count no longer beside those of other hosts.
  package func endSharing() {
    _ = shareReceivedBytes?(-receivedMessagesByteCount)
    shareReceivedBytes = nil
    receivedMessagesRoom = .max
  }

  /// Tells the host that the served page has loaded its document from `url`.
  package func finishLoading(_ url: URL?) {
    attachedWebView?.finishLoading(url)
  }

  /// The script at document start: the user scripts of the attached web view; without any, the bootstrap script of the configuration. Nil if
  /// there is none.
  package var documentStartScript: String? {
    let scripts = attachedWebView?.configuration.userContentController.userScripts ?? []
    let sources = scripts.filter { $0.injectionTime == .atDocumentStart }.map(\.source)
    return sources.isEmpty ? configuration.bootstrapScript : sources.joined(separator: "\n;\n")
  }

  /// The web view that gets the host's messages.
  var webView: WebView? { servedWebView ?? attachedWebView }

  /// Detaches the web view, because its page has gone. ``request(action:data:)`` returns nil for open requests to the page. Its captures end,
  /// so that the slots are free for another page.
  public func detach() {
    attachedWebView = nil
    servedWebView = nil
    endPage()
  }

  private func endPage() {
    madeSlots?.document.end()
    madeSlots?.selfie.end()
    endRequestsToPage()
  }

  /// Ends the open requests to the page: ``request(action:data:)`` returns nil for them.
  package func endRequestsToPage() {
    let settles = openRequests.values
    openRequests = [:]
    for settle in settles { settle(nil) }
  }

  /// Resets ``lastError``.
  open func clearError() {
    lastError = nil
  }

  // MARK: From the page

  /// Receives what the page has posted to the channel `gbgBridge`: an envelope, as an object or as JSON text. The reference does not say
  /// which of the two a page posts, so the host accepts both. Anything else only sets ``lastError``.
  ///
  /// A subclass that overrides this sees each message of the channel before the host routes it.
  open func userContentController(_ userContentController: UserContentController, didReceive message: ScriptMessage) {
    switch message.content {
    case .envelope(let envelope): receive(envelope)
    case .value(.string(let text)): receive(text.utf8)
    case .value(.object(let members)):
      var writer = JSONWriter()
      writer.write(.object(members))
      receive(writer.bytes)
    case .value: lastError = "A message from the page is neither an object nor a JSON text."
    }
  }

  // MARK: To the page

  /// Sends an event to the page. Sets ``lastError`` if there is no page, or if `data` holds a number that JSON cannot express.
  open func send(event action: String, data: [String: JSONValue]) {
    send(event: BridgePayload(action: action, data: data, status: nil, error: nil))
  }

  /// Sends an event whose data is already JSON text. Use it for an event that goes to several pages. Not in the reference.
  ///
  /// - Parameters:
  ///   - action: The event's action.
  ///   - text: One valid JSON object in UTF-8. It is sent unchanged.
  public func send(event action: String, text: [UInt8]) {
    send(event: BridgePayload(action: action, storedData: .text(text), status: nil, error: nil))
  }

  private func send(event payload: BridgePayload) {
    deliver(.event, correlationId: "ios-event-\(random.uuid())", payload)
  }

  /// Sends a request to the page and waits for the response, without a time limit. Not in the reference.
  ///
  /// - Returns: The response; nil if there is no page, or if the page goes before it answers.
  public func request(action: String, data: [String: JSONValue]) async -> BridgeMessage? {
    await withCheckedContinuation { continuation in
      request(action: action, data: data) { continuation.resume(returning: $0) }
    }
  }

  /// Sends a request whose data is already JSON text, and waits for the response, without a time limit. Not in the reference.
  ///
  /// - Parameters:
  ///   - action: The request's action.
  ///   - text: One valid JSON object in UTF-8. It is sent unchanged.
  /// - Returns: The response; nil if there is no page, or if the page goes before it answers.
  package func request(action: String, text: [UInt8]) async -> BridgeMessage? {
    await withCheckedContinuation { continuation in
      request(BridgePayload(action: action, storedData: .text(text), status: nil, error: nil)) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Sends a request to the page at once, in order with other messages. `settle` gets the response; nil if there is no page, or if the page
  /// goes before it answers.
  package func request(
    action: String, data: [String: JSONValue], settle: @escaping (BridgeMessage?) -> Void
  ) {
    request(BridgePayload(action: action, data: data, status: nil, error: nil), settle: settle)
  }

  private func request(_ payload: BridgePayload, settle: @escaping (BridgeMessage?) -> Void) {
    let correlationId = "ios-request-\(random.uuid())"
    openRequests[correlationId] = settle
    if !deliver(.request, correlationId: correlationId, payload) {
      openRequests.removeValue(forKey: correlationId)?(nil)
    }
  }

  /// Answers a request to the page on behalf of the page.
  package func settle(_ request: BridgeMessage, data: [String: JSONValue]?) {
    let payload = BridgePayload(action: request.action, data: data, status: .success, error: nil)
    let answer = BridgeMessage(
      version: "1.0", correlationId: request.correlationId, type: .response,
      timestamp: clock.now.millisecondsSinceEpoch, payload: payload)
    openRequests.removeValue(forKey: request.correlationId)?(answer)
  }

  /// Answers a request of ``pendingRequests``, and removes it from the list once the answer is sent. If there is no such request, sets
  /// ``lastError``; the reference does not define this case.
  open func respond(
    to correlationId: String,
    status: BridgeResponseStatus,
    data: [String: JSONValue]? = nil,
    error: BridgeErrorPayload? = nil
  ) {
    guard let index = pendingRequests.firstIndex(where: { $0.correlationId == correlationId }) else {
      lastError = "No request with the correlation id \(correlationId) waits for an answer."
      return
    }
    let isSent = answer(pendingRequests[index], BridgeAnswer(status: status, data: data, error: error))
    if isSent { pendingRequests.remove(at: index) }
  }

  /// Sends a response without checking ``pendingRequests``.
  open func respond(
    to correlationId: String,
    action: String,
    status: BridgeResponseStatus,
    data: [String: JSONValue]? = nil,
    error: BridgeErrorPayload? = nil
  ) {
    deliver(
      .response, correlationId: correlationId,
      BridgePayload(action: action, data: data, status: status, error: error))
  }

  /// Answers a request without checking ``pendingRequests``. The timestamp is `now`; nil stands for the clock's present time.
  ///
  /// - Returns: false if the answer could not be sent; ``lastError`` says why.
  @discardableResult
  package func answer(
    _ request: BridgeMessage, _ answer: consuming BridgeAnswer, at now: BridgeInstant? = nil
  ) -> Bool {
    guard let webView = webView(whenEncodable: answer.isEncodable, of: request.action) else { return false }
    webView.deliver(answer, to: request, timestamp: (now ?? clock.now).millisecondsSinceEpoch)
    return true
  }

  /// Sends a message to the web view.
  ///
  /// - Returns: false if it could not be sent; ``lastError`` says why.
  @discardableResult
  private func deliver(_ type: BridgeMessageType, correlationId: String, _ payload: consuming BridgePayload) -> Bool {
    guard let webView = webView(whenEncodable: payload.isEncodable, of: payload.action) else { return false }
    let message = BridgeMessage(
      version: "1.0",
      correlationId: correlationId,
      type: type,
      timestamp: clock.now.millisecondsSinceEpoch,
      payload: payload
    )
    webView.deliver(message, sequenced: type != .response)
    return true
  }

  /// The web view for a message; nil if it cannot be sent, with the reason in ``lastError``.
  private func webView(whenEncodable isEncodable: Bool, of action: @autoclosure () -> String) -> WebView? {
    guard let webView else {
      lastError = "\(action()) was not sent: no web view is attached."
      return nil
    }
    guard isEncodable else {
      lastError = "\(action()) was not sent: its data holds a number that JSON cannot express, such as infinity."
      return nil
    }
    return webView
  }
}
