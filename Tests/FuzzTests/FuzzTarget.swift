/// A kind of input that comes from outside. Each is tried with the files of its corpus folder, and by `make fuzz` with what follows from them.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// Bytes on a connection that was accepted.
  case requests
  /// Bytes on a connection to another server.
  case responses
  /// Frames on a connection of HTTP/2 to another server.
  case http2
  /// The fields of a request of HTTP/2, one in each line, with `=` between name and value.
  case http2Request
  /// One message of a page, or JSON of anybody.
  case envelope
  /// What a page sends to its host: an envelope in each line.
  case page
  /// A StoreKit configuration.
  case storekit
  /// Which holes to make in a real StoreKit configuration.
  case holes
  /// A `footbridge.yaml`.
  case yaml
  /// `Set-Cookie` values, one in each line, and as `Cookie` what is in the last line.
  case cookies
  /// A request to the control API: method and path in the first line, `{session}` for a session's id, and the body in the others.
  case control

  /// Fields that a trusted proxy sends, one in each line.
  case forwarded
  /// What the handler of a declared bridge writes.
  case handler
  /// What the client of a coding agent sends, a message in each line.
  case agent
  /// A body with content codings: their names in the first line, and the body in the others.
  case coded

  /// Tries an input. Throws ``FuzzFinding`` for one that is not treated as it should be; a crash is one, too.
  func check(_ input: [UInt8]) async throws {
    switch self {
    case .requests: try RequestFuzz.check(input)
    case .responses: try ResponseFuzz.check(input)
    case .http2: try await HTTP2Fuzz.check(input)
    case .http2Request: try HTTP2RequestFuzz.check(input)
    case .envelope: try EnvelopeFuzz.check(input)
    case .page: try await PageFuzz.check(input)
    case .storekit: try StoreKitFuzz.check(input)
    case .holes: try HolesFuzz.check(input)
    case .yaml: YAMLFuzz.check(input)
    case .cookies: try CookieFuzz.check(input)
    case .control: try await ControlFuzz.check(input)
    case .forwarded: try ForwardedFuzz.check(input)
    case .handler: try HandlerFuzz.check(input)
    case .agent: try AgentFuzz.check(input)
    case .coded: try CodedFuzz.check(input)
    }
  }

  /// How many changed inputs the usual test run makes of each file.
  var mutationsPerFile: Int {
    switch self {
    case .page, .control: 15
    default: 80
    }
  }
}
