import BridgeCore
import BridgeRuntime
import Cryptography
import Sessions

/// Checks the JWT of a merchant's backend (purchasing guide, "Authentication"). The caller also checks that the `jti` is new
/// (``ReplayMemory``), and that the merchant may read the order.
struct MerchantTokenCheck: Sendable {
  /// The claims that the caller checks.
  struct Claims: Sendable, Hashable {
    /// `sub`, the Merchant ID.
    let merchantID: String
    /// `jti`, unique to the token.
    let tokenID: String
    /// When the token ends, including the clock skew.
    let end: BridgeInstant
  }

  /// The maximum time from `nbf` to `exp`, in seconds.
  static let longestWindow = 30.0

  private static let mostTokenBytes = 8 << 10
  private static let tokenIDBytes = 1...256

  private let credentials: MerchantCredentials

  init(_ credentials: MerchantCredentials) {
    self.credentials = credentials
  }

  /// The claims of a token, if it is valid at `now`.
  func claims(of token: String, at now: BridgeInstant) throws(MerchantTokenError) -> Claims {
    guard token.utf8.count <= Self.mostTokenBytes, let token = CompactJWS(token) else { throw .malformed }
    try check(token.header)
    guard AuthenticationCode(key: Array(credentials.secret.utf8)).isCode(token.signature, of: token.input) else {
      throw .signature
    }
    guard let payload = token.payload else { throw .malformed }
    return try claims(in: payload, at: now)
  }

  private func check(_ header: JSONValue) throws(MerchantTokenError) {
    guard header["alg"]?.stringValue == "HS256" else { throw .algorithm }
    guard header["kid"]?.stringValue == credentials.keyID else { throw .keyID }
    // RFC 7515, section 4.1.11: a critical extension that is not known makes a token invalid.
    guard header["crit"] == nil else { throw .malformed }
  }

  private func claims(in payload: JSONValue, at now: BridgeInstant) throws(MerchantTokenError) -> Claims {
    guard payload["iss"]?.stringValue == "onside" else { throw .issuer }
    guard payload["aud"] == "onside" || payload["aud"]?.arrayValue?.contains("onside") == true else {
      throw .audience
    }
    guard let merchantID = payload["sub"]?.stringValue else { throw .subject }
    guard let start = payload["nbf"]?.numberValue, let end = payload["exp"]?.numberValue, start < end,
      end - start <= Self.longestWindow
    else { throw .window }
    guard let tokenID = payload["jti"]?.stringValue, Self.tokenIDBytes.contains(tokenID.utf8.count) else {
      throw .tokenID
    }
    let skew = Double(credentials.clockSkew)
    guard now >= BridgeInstant(millisecondsSinceEpoch: (start - skew) * 1000) else { throw .notYetValid }
    let lastEnd = BridgeInstant(millisecondsSinceEpoch: (end + skew) * 1000)
    guard now < lastEnd else { throw .expired }
    return Claims(merchantID: merchantID, tokenID: tokenID, end: lastEnd)
  }
}

/// Remembers the `jti` of each used token until the token ends.
struct ReplayMemory {
  /// The verdict about a token.
  enum Verdict: Hashable {
    /// Its id is new, and remembered from now on.
    case new
    /// Its id was used before.
    case replayed
    /// The memory is full. No token can be accepted at the moment.
    case full
  }

  private let capacity: Int
  private var endByID: [String: BridgeInstant] = [:]
  private var nextSweep: BridgeInstant?

  /// The time between two sweeps. A sweep forgets all ended tokens at once, which costs less than one sweep for each token.
  private static let sweepInterval = Duration.seconds(1)

  /// Creates a memory of at most `capacity` ids.
  init(capacity: Int = 100_000) {
    self.capacity = capacity
  }

  /// The number of remembered ids.
  var count: Int { endByID.count }

  /// Remembers the id of a token that ends at `end`. Returns whether the id was new.
  mutating func use(_ id: String, until end: BridgeInstant, now: BridgeInstant) -> Verdict {
    sweep(now)
    if let end = endByID[id], now < end { return .replayed }
    guard endByID.count < capacity || endByID[id] != nil else { return .full }
    endByID[id] = end
    return .new
  }

  private mutating func sweep(_ now: BridgeInstant) {
    if let nextSweep, now < nextSweep { return }
    endByID = endByID.filter { now < $0.value }
    nextSweep = now.advanced(by: Self.sweepInterval)
  }
}
