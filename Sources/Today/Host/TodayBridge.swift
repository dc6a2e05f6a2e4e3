public import BridgeCore
public import BridgeRuntime

/// Joins a session's ``TodayHost`` to one page: what `addScriptMessageHandler(_:contentWorld:name:)` does on iOS.
///
/// A call of `postMessage` is a request `today.message` whose data holds the message as `value`; without `value` it was `undefined`. The
/// response is of the same form, or an error with the code `today.rejected`. Values that JSON cannot carry
/// come marked, as `{"$footbridge": "number", "value": "NaN"}`: a number is a scalar, a date is none.
@BridgeActor
public final class TodayBridge: ImmediateBridgeCapabilityHandler {
  /// The action of the page's requests.
  public nonisolated static let action = "today.message"
  /// The same.
  public nonisolated var action: String { Self.action }
  /// The code of a response by which the page's promise rejects, with the response's message.
  public nonisolated static let rejection = "today.rejected"

  /// The calling document, as the server knows it; nil once it has gone.
  public private(set) var document: TodayDocument?

  private let today: TodayHost

  /// Creates the joint for one page.
  public init(_ today: TodayHost, document: TodayDocument) {
    self.today = today
    self.document = document
  }

  /// Registers the handler of `today.message`.
  public func configure(host: BridgeHost) {
    host.register(handler: self)
  }

  /// The document has another URL now. Calls that wait for a token are decided on it.
  public func navigate(to document: TodayDocument) {
    self.document = document
  }

  /// The page has gone: what it still waits for is not answered. A refresh that it started goes on for the others.
  public func detach() {
    document = nil
  }

  /// Answers a message of the page.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    today.receive(request.payload.data?["value"], from: { [weak self] in self?.document }) { reply in
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
