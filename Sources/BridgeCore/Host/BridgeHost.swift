public import BridgeRuntime
import DequeModule
public import Foundation
public import Observation

/// Routes the messages of one page: the stand-in for the framework's host of one `WKWebView` (GBGBridge reference, "BridgeHost").
///
/// Owned by ``BridgeActor`` as the original is by the main actor. Every message from the page is kept in ``receivedMessages`` and told to
/// the ``delegate``; a request goes to the handler of its action, or into ``pendingRequests`` to be answered by hand.
///
/// What the original publishes is observable. What only the host itself looks at while it routes is not.
@BridgeActor
@Observable
open class BridgeHost: NSObject {
  // What each message needs stands first, together: with many hosts it is in no cache of the processor.
  @ObservationIgnored var handlers = ActionTable<RegisteredHandler>()
  @ObservationIgnored private weak var attachedWebView: WebView?
  @ObservationIgnored private var openWebView: WebView?
  /// Sees requests before they are routed; ours.
  @ObservationIgnored public var interceptor: (any BridgeRequestInterceptor)?
  /// Watches messages and unhandled requests.
  @ObservationIgnored public weak var delegate: (any BridgeHostDelegate)?
  /// The text of the answer to `capability.query`, until something changes that it tells of.
  @ObservationIgnored var capabilityAnswer: [UInt8]?
  @ObservationIgnored var madeSlots: CaptureSlots?
  /// The clock that stamps messages to the page.
  @ObservationIgnored public let clock: any BridgeClock
  /// What ``receivedMessages`` tells, and whether anybody has asked: until then nobody can be waiting to hear of changes, and a message
  /// need not be announced.
  @ObservationIgnored var keptMessages = Deque<BridgeMessage>()
  @ObservationIgnored var isReceivedMessagesRead = false
  /// How many received messages are kept; with 0 none are. The reference names no limit; a server that runs for days needs one.
  @ObservationIgnored public var receivedMessagesLimit = 50

  /// The messages received from the page, oldest first; the latest ``receivedMessagesLimit`` of them.
  @ObservationIgnored public var receivedMessages: [BridgeMessage] {
    get {
      access(keyPath: \.receivedMessages)
      isReceivedMessagesRead = true
      return Array(keptMessages)
    }
    set {
      receivedMessagesByteCount = newValue.reduce(0) { $0 + $1.byteCount }
      withMutation(keyPath: \.receivedMessages) { keptMessages = Deque(newValue) }
    }
  }
  /// Requests without a handler, waiting for ``respond(to:status:data:error:)``.
  public var pendingRequests: [BridgeMessage] = []
  /// Whether each declared capability is supported; from the configuration at initialisation.
  public var capabilities: [String: Bool] {
    didSet { capabilityAnswer = nil }
  }
  /// The most recent error, until ``clearError()``.
  public var lastError: String?
  /// The slot of `camera.document`, whose requests have the action `camera.document.capture`.
  public var documentCapture: CaptureCapability { capture.document }
  /// The slot of `camera.selfie`, whose requests have the action `camera.selfie.capture`.
  public var selfieCapture: CaptureCapability { capture.selfie }
  /// Prepares the slots. Called once, when they are first needed, which on most pages is never.
  @ObservationIgnored package var prepareSlots: ((BridgeHost) -> Void)?
  /// The configuration given at initialisation.
  @ObservationIgnored public private(set) var configuration: BridgeConfiguration
  /// How many bytes the received messages that are kept may have, about; the oldest make room for the last one. The limit is ours.
  @ObservationIgnored public var receivedMessagesByteLimit = 8 << 20
  /// How many requests may wait. The oldest makes room: it is answered with the error `BUSY`, and ``lastError`` says so; the limit is ours.
  @ObservationIgnored public var pendingRequestsLimit = 1000
  /// How many requests nobody has handled, ever.
  @ObservationIgnored package internal(set) var unhandledRequestCount = 0
  /// The source of identifiers for messages that start here.
  @ObservationIgnored public let random: BridgeRandom

  /// What handles actions that have no handler of their own, unless they are excepted.
  @ObservationIgnored var family: (any BridgeHandlerFamily)?
  @ObservationIgnored var familyExceptions: Set<String> = []
  @ObservationIgnored var customCapabilities: [String: CustomCapability] = [:] {
    didSet { capabilityAnswer = nil }
  }
  @ObservationIgnored var openRequests: [String: CheckedContinuation<BridgeMessage?, Never>] = [:]
  /// How many bytes the received messages have.
  @ObservationIgnored var receivedMessagesByteCount = 0

  /// Creates a host whose answer to `capability.query` is built anew each time from the slots and from what is registered.
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

  /// Creates a host that declares what `configuration` says, and neither its slots nor its custom capabilities. It routes to them all the
  /// same.
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

  /// Associates the web view that messages go to. It is held weakly.
  public func attach(webView: WebView) {
    attachedWebView = webView
  }

  /// Associates a web view that is there until the host is detached, or given none. To look for one that may have gone takes time with each
  /// message.
  package func attach(open webView: WebView?) {
    openWebView = webView
  }

  /// The web view that messages go to.
  var webView: WebView? { openWebView ?? attachedWebView }

  /// Forgets the web view: its page has gone. Requests to the page that are still open are answered with nil, and the captures that it
  /// asked for end, so that the slots are free for another page.
  public func detach() {
    attachedWebView = nil
    openWebView = nil
    madeSlots?.document.end()
    madeSlots?.selfie.end()
    let continuations = openRequests.values
    openRequests = [:]
    for continuation in continuations { continuation.resume(returning: nil) }
  }

  /// Resets ``lastError``.
  public func clearError() {
    lastError = nil
  }

  // MARK: To the page

  /// Sends an event to the page. ``lastError`` says so when there is no page, or when `data` holds a number that JSON has not.
  public func send(event action: String, data: [String: JSONValue]) {
    send(event: BridgePayload(action: action, data: data, status: nil, error: nil))
  }

  /// Sends an event whose data is written already: `text` is the JSON text of an object. Ours; for events that several pages are told.
  public func send(event action: String, text: [UInt8]) {
    send(event: BridgePayload(action: action, storedData: .text(text), status: nil, error: nil))
  }

  private func send(event payload: BridgePayload) {
    deliver(.event, correlationId: "ios-event-\(random.uuid())", payload)
  }

  /// Asks the page and waits for its response; nil when the page has gone or goes before it answers. There is no time limit.
  public func request(action: String, data: [String: JSONValue]) async -> BridgeMessage? {
    let correlationId = "ios-request-\(random.uuid())"
    return await withCheckedContinuation { continuation in
      openRequests[correlationId] = continuation
      let payload = BridgePayload(action: action, data: data, status: nil, error: nil)
      if !deliver(.request, correlationId: correlationId, payload) {
        openRequests.removeValue(forKey: correlationId)?.resume(returning: nil)
      }
    }
  }

  /// Answers a request of ``pendingRequests`` and, once the answer was sent, takes it off the list. Without such a request nothing is sent
  /// and, which is ours, ``lastError`` says so.
  public func respond(
    to correlationId: String,
    status: BridgeResponseStatus,
    data: [String: JSONValue]? = nil,
    error: BridgeErrorPayload? = nil
  ) {
    guard let index = pendingRequests.firstIndex(where: { $0.correlationId == correlationId }) else {
      lastError = "No request with the correlation id \(correlationId) waits for an answer."
      return
    }
    let action = pendingRequests[index].action
    let payload = BridgePayload(action: action, data: data, status: status, error: error)
    if deliver(.response, correlationId: correlationId, payload) { pendingRequests.remove(at: index) }
  }

  /// Sends a response without looking into ``pendingRequests``.
  public func respond(
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

  /// Answers a request, now or at `now`, without looking into ``pendingRequests``.
  func answer(_ request: BridgeMessage, _ answer: consuming BridgeAnswer, at now: BridgeInstant? = nil) {
    guard let webView = webView(whenEncodable: answer.isEncodable, of: request.action) else { return }
    webView.deliver(answer, to: request, timestamp: (now ?? clock.now).millisecondsSinceEpoch)
  }

  /// Hands a message to the web view; false, with the reason in ``lastError``, when that cannot be.
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

  /// Where a message goes; nil, with the reason in ``lastError``, when it cannot go anywhere.
  private func webView(whenEncodable isEncodable: Bool, of action: @autoclosure () -> String) -> WebView? {
    guard let webView else {
      lastError = "\(action()) was not sent: no web view is attached."
      return nil
    }
    guard isEncodable else {
      lastError = "\(action()) was not sent: its data holds a number that JSON has not, such as infinity."
      return nil
    }
    return webView
  }
}
