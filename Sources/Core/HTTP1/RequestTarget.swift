public import HTTPTypes

/// A request target as it was written (RFC 9112, section 3.2). Nothing is decoded or normalized.
///
/// Besides the bytes that RFC 3986 allows in paths and queries, it may contain malformed percent escapes, and bytes
/// that browsers do not escape according to the URL Standard, such as `|` or `{`. It must not contain `#`, `"`, `<`,
/// `>`, spaces, control bytes, bytes above 0x7F, or a backslash in the path.
public enum RequestTarget: Sendable, Hashable, CustomStringConvertible {
  /// A path that begins with `/`, and the query: the text after the first `?`.
  case origin(path: String, query: String?)

  /// A whole `http` or `https` URI. The path may be empty. Its authority takes precedence over the `Host` field (RFC
  /// 9112, section 3.2.2).
  case absolute(scheme: String, authority: Authority, path: String, query: String?)

  /// Host and port of a `CONNECT`.
  case authority(Authority)

  /// `*` in `OPTIONS`: the server as a whole.
  case asterisk

  /// Parses a target.
  /// - Parameters:
  ///   - rawValue: The text between the spaces of the request line.
  ///   - method: The method, which decides the possible forms.
  /// - Returns: Nil when the target is malformed, or its form does not fit the method.
  public init?(_ rawValue: String, method: HTTPRequest.Method) {
    self.init(parsing: Array(rawValue.utf8)[...], method: method)
  }

  init?(parsing bytes: ArraySlice<UInt8>, method: HTTPRequest.Method) {
    if method == .connect {
      guard let authority = Authority(parsing: bytes), authority.port != nil else { return nil }
      self = .authority(authority)
    } else if bytes.first == .slash {
      guard let (path, query) = Self.pathAndQuery(bytes) else { return nil }
      self = .origin(path: path, query: query)
    } else if bytes.elementsEqual("*".utf8) {
      guard method == .options else { return nil }
      self = .asterisk
    } else {
      guard let colon = bytes.firstIndex(of: .colon), bytes[colon...].starts(with: "://".utf8) else { return nil }
      let scheme = String(decoding: bytes[..<colon], as: UTF8.self)
      guard ["http", "https"].contains(scheme.asciiLowercased) else { return nil }
      let afterScheme = bytes[(colon + 3)...]
      let authorityBytes = afterScheme.prefix { $0 != .slash && $0 != .questionMark }
      guard let authority = Authority(parsing: authorityBytes),
        let (path, query) = Self.pathAndQuery(bytes[authorityBytes.endIndex...])
      else { return nil }
      self = .absolute(scheme: scheme, authority: authority, path: path, query: query)
    }
  }

  /// The target as it was received.
  public var rawValue: String {
    switch self {
    case .origin(let path, let query): path + Self.suffix(query)
    case .absolute(let scheme, let authority, let path, let query):
      "\(scheme)://\(authority)\(path)\(Self.suffix(query))"
    case .authority(let authority): authority.rawValue
    case .asterisk: "*"
    }
  }

  /// The path, still escaped. It begins with `/`; nil for `CONNECT` and `*`.
  public var path: String? {
    switch self {
    case .origin(let path, _): path
    case .absolute(_, _, let path, _): path.isEmpty ? "/" : path
    case .authority, .asterisk: nil
    }
  }

  /// The text after the first `?`, still escaped; nil when there is no `?`.
  public var query: String? {
    switch self {
    case .origin(_, let query), .absolute(_, _, _, let query): query
    case .authority, .asterisk: nil
    }
  }

  /// The target as it was received.
  public var description: String { rawValue }

  private static func suffix(_ query: String?) -> String { query.map { "?" + $0 } ?? "" }

  private static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (path: String, query: String?)? {
    let path = bytes.prefix { $0 != .questionMark }
    guard path.allSatisfy({ $0.isTarget && $0 != UInt8(ascii: "\\") }) else { return nil }
    let pathText = String(decoding: path, as: UTF8.self)
    guard path.endIndex < bytes.endIndex else { return (pathText, nil) }
    let query = bytes[(path.endIndex + 1)...]
    guard query.allSatisfy(\.isTarget) else { return nil }
    return (pathText, String(decoding: query, as: UTF8.self))
  }
}

extension UInt8 {
  fileprivate var isTarget: Bool {
    isVisible && self != UInt8(ascii: "#") && self != .doubleQuote && self != UInt8(ascii: "<")
      && self != UInt8(ascii: ">")
  }
}
