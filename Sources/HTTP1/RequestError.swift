public import HTTPTypes

/// Why a request is refused, and with which status. The connection closes after the response, since the start of the
/// next request is unknown.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule that the request breaks.
  public let defect: MessageDefect

  /// Creates the error for a defect.
  public init(_ defect: MessageDefect) {
    self.defect = defect
  }

  /// The status of the response.
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

  /// What is wrong and what is right, in one sentence without bytes of the request.
  public var description: String { defect.description }
}
