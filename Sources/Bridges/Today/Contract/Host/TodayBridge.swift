public import BridgeCore
public import BridgeRuntime

/// Connects a session's ``TodayHost`` to one page, as `addScriptMessageHandler(_:contentWorld:name:)` does on iOS.
///
/// A call of `postMessage` is a request `today.message` with the message in `data.value`. Without `value`, the message
/// was `undefined`. With `again: true`, the page has posted another message, and has got no answer since. The response
/// has the same form, or is an error with the code `today.rejected`. Values that JSON cannot express arrive as marks,
/// such as `{"$footbridge": "number", "value": "NaN"}`.
@BridgeActor
public final class TodayBridge: ImmediateBridgeCapabilityHandler {
  /// The action of the page's requests.
  public nonisolated static let action = "today.message"
  /// The action of the page's requests, as the host registers it.
  public nonisolated var action: String { Self.action }
  /// The error code of a response that rejects the page's promise. The rejection has the response's message.
  public nonisolated static let rejection = "today.rejected"

  /// The calling document, as the server knows it; nil after ``detach()``.
  public private(set) var document: TodayDocument?

  private let today: TodayHost
  private var turn = TodayTurn()

  /// Creates the bridge of one page.
  ///
  /// - Parameters:
  ///   - today: The session's host.
  ///   - document: The page's document.
  public init(_ today: TodayHost, document: TodayDocument) {
    self.today = today
    self.document = document
  }

  /// Registers the handler of `today.message` with the page's host.
  public func configure(host: BridgeHost) {
    host.register(handler: self)
  }

  /// Changes the document, for example after `history.pushState`. The new document decides the trust of pending calls.
  public func navigate(to document: TodayDocument) {
    self.document = document
  }

  /// Ends the bridge of a page that has gone. Its pending calls get no answer. A token refresh that it started
  /// continues for the other pages.
  public func detach() {
    document = nil
  }

  /// Answers a message from the page.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let data = request.payload.data
    if data?["again"] != true { turn = TodayTurn() }
    today.receive(data?["value"], in: turn, from: { [weak self] in self?.document }) { reply in
      switch reply {
      case .undefined: responder.respond(status: .success, data: [:], error: nil)
      case .value(let value): responder.respond(status: .success, data: ["value": value], error: nil)
      case .rejection(let error):
        let payload = BridgeErrorPayload(
          code: Self.rejection, message: error.description, recoverable: error.isRecoverable)
        responder.respond(status: .error, data: nil, error: payload)
      }
    }
  }
}
