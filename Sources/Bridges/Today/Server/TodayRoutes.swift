import BridgeCore
import BridgeRuntime
import BridgeServer
import CookieJar
import Essentials
import HTTPTypes
import Today

/// Routes of Today's token and cookies, without their values.
enum TodayRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/tokens") { request in
      .json(try await request.today().host.tokens.json)
    },
    ControlRoute(.post, "/sessions/{session}/tokens/expire") { request in
      let tokens = try await request.today().host.tokens
      tokens.expire()
      return .json(tokens.json)
    },
    ControlRoute(.post, "/sessions/{session}/tokens/revoke") { request in
      let today = try await request.today()
      today.revokeToken()
      return .json(today.host.tokens.json)
    },
    ControlRoute(.post, "/sessions/{session}/tokens/fail-next") { request in
      let tokens = try await request.today().host.tokens
      let members = try await request.members(["error"])
      tokens.nextFailure = try members["error"]?.choice(TokenFailure.self).error ?? .unreachable
      return .json(tokens.json)
    },
    ControlRoute(.get, "/sessions/{session}/cookies") { request in
      .json(["cookies": .array(try await request.today().cookies.metadata.map(\.json))])
    },
  ]

  /// The errors that a test can make a refresh fail with.
  private enum TokenFailure: String, CaseIterable {
    case unreachable
    case invalidResponse
    case invalidGrant

    var error: TokenError {
      switch self {
      case .unreachable: .unreachable
      case .invalidResponse: .invalidResponse
      case .invalidGrant: .refused(.invalidGrant)
      }
    }
  }
}

extension ControlRequest {
  /// The Today host's part of the session that the path names.
  fileprivate func today() async throws -> TodaySession { try await bridge(TodaySession.self) }
}

extension TokenStore {
  /// The state of the token, without the token, as the control API shows it.
  fileprivate var json: JSONValue {
    [
      "signedIn": .bool(isSignedIn), "hasToken": .bool(token != nil),
      "expiresAt": token?.staleAt.map { .string($0.rfc3339) } ?? .null, "refreshes": .number(Double(refreshCount)),
      "revoked": .bool(isRevoked), "failsNext": .bool(nextFailure != nil),
    ]
  }
}

extension CookieMetadata {
  fileprivate var json: JSONValue {
    func time(_ date: Date?) -> JSONValue {
      date.map { .string($0.formatted(.iso8601)) } ?? .null
    }
    return [
      "name": .string(name), "domain": .string(domain), "hostOnly": .bool(isHostOnly), "path": .string(path),
      "secure": .bool(isSecure), "httpOnly": .bool(isHTTPOnly), "sameSite": .string(sameSite.rawValue),
      "expires": time(expires), "createdAt": time(creationDate),
    ]
  }
}
