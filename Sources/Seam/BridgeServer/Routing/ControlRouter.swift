import BridgeRuntime
import HTTP1
public import HTTPTypes

/// Finds the route of a request. A pure function of method and path.
package struct ControlRouter: Sendable {
  /// The result of a search.
  package enum Match {
    /// A route, with the values of the path's variables.
    case route(ControlRoute, [String: String])
    /// The resource exists, but allows only these methods.
    case otherMethods([HTTPRequest.Method])
    /// There is no such resource.
    case none
  }

  /// All routes.
  let routes: [ControlRoute]
  private let segments: [[String]]

  package init(_ routes: [ControlRoute]) {
    self.routes = routes
    segments = routes.map { Self.split($0.path) }
  }

  /// Finds the route for a method and a path below the API's base, still escaped. `HEAD` uses the route of `GET`.
  package func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
    guard path.hasPrefix("/") else { return .none }
    // Pages choose correlation ids, which may have slashes. An escaped slash belongs to its segment.
    let escaped = Self.split(path)
    let wanted = escaped.compactMap { PercentEncoding.decode($0) }
    guard wanted.count == escaped.count else { return .none }
    var methods: [HTTPRequest.Method] = []
    for (route, segments) in zip(routes, segments) {
      guard let parameters = Self.parameters(wanted, segments) else { continue }
      if route.method == method || (method == .head && route.method == .get) { return .route(route, parameters) }
      methods.append(route.method)
      if route.method == .get { methods.append(.head) }
    }
    return methods.isEmpty ? .none : .otherMethods(methods)
  }

  private static func split(_ path: String) -> [String] { path.dropFirst().components(separator: "/") }

  private static func parameters(_ path: [String], _ template: [String]) -> [String: String]? {
    guard path.count == template.count else { return nil }
    var parameters: [String: String] = [:]
    for (value, name) in zip(path, template) {
      if name.hasPrefix("{") {
        guard !value.isEmpty else { return nil }
        parameters[String(name.dropFirst().dropLast())] = value
      } else if value != name {
        return nil
      }
    }
    return parameters
  }
}

extension Substring {
  fileprivate func components(separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

/// One method of one resource of the control API.
public struct ControlRoute: Sendable {
  /// Answers a request. Throws ``ControlProblem``, or `OptionError` for an error in the body.
  public typealias Handler = @Sendable @BridgeActor (ControlRequest) async throws -> ControlResponse

  /// The method.
  package let method: HTTPRequest.Method
  /// The path below the API's base, in the form of OpenAPI: `/sessions/{session}/sheets`.
  package let path: String
  /// The maximum size of a request's body in bytes.
  package let bodyLimit: Int
  /// Whether requests only read, even if their method is not GET.
  package let isReading: Bool
  /// The possible names in the query.
  package let query: [String]
  /// Answers the request.
  package let handler: Handler

  /// The path of the control API.
  package static let base = "/__footbridge/api/v1"
  /// The default maximum size of bodies, in bytes.
  public static let usualBodyLimit = 1 << 20
  /// The maximum size of a body with a message of up to 16 MiB, in bytes.
  package static let messageBodyLimit = (16 << 20) + (64 << 10)

  /// Creates a route.
  public init(
    _ method: HTTPRequest.Method, _ path: String, bodyLimit: Int = usualBodyLimit, isReading: Bool = false,
    query: [String] = [], handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.bodyLimit = bodyLimit
    self.isReading = isReading || method == .get
    self.query = query
    self.handler = handler
  }
}
