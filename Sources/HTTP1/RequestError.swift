public import HTTPTypes

/// Why a request is refused, and with which status. The connection closes after the answer: where the next request
/// would begin is not known.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule that the request broke.
  public let defect: MessageDefect

  /// Creates the refusal for a defect.
  public init(_ defect: MessageDefect) {
    self.defect = defect
  }

  /// The status of the answer.
  public var status: HTTPResponse.Status {
    switch defect {
    case .requestLineTooLong: .uriTooLong
    case .contentLengthTooLarge, .chunkTooLarge: .contentTooLarge
    case .unknownExpectation: .expectationFailed
    case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
    case .unsupportedTransferCoding: .notImplemented
    case .unsupportedVersion: .httpVersionNotSupported
    default: .badRequest
    }
  }

  /// What is wrong and what would be right, in one sentence for people, without bytes of the request.
  public var description: String { defect.description }
}
