import BridgeRuntime
public import HTTPTypes

/// One method of one resource of the control API.
public struct ControlRoute: Sendable {
  /// Answers a request. Throws ``ControlProblem``, or `OptionError` for an error in the body.
  public typealias Handler = @Sendable @BridgeActor (ControlRequest) async throws -> ControlResponse

  /// The method.
  let method: HTTPRequest.Method
  /// The path below the API's base, as OpenAPI writes it: `/sessions/{session}/sheets`.
  let path: String
  /// The maximum size of a request's body in bytes.
  let bodyLimit: Int
  /// Whether requests only read, whatever their method.
  let isReading: Bool
  /// Answers the request.
  let handler: Handler

  /// The default maximum size of bodies, in bytes.
  public static let usualBodyLimit = 1 << 20

  /// Creates a route.
  public init(
    _ method: HTTPRequest.Method, _ path: String, bodyLimit: Int = usualBodyLimit, isReading: Bool = false,
    handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.bodyLimit = bodyLimit
    self.isReading = isReading || method == .get
    self.handler = handler
  }
}
