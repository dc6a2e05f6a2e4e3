import BridgeCore
import BridgeRuntime
import Cryptography
import Essentials
import Logging
import Sessions
import Today

/// The refresh token that a token endpoint issued instead of the configured one, which is used up. It is stored for the next start.
///
/// It is valid while the configuration names the same token, endpoint and client. The file contains a hash of these, to compare them.
struct RotatedRefreshToken: Sendable {
  /// The file in the state directory. Only its owner can read it.
  static let fileName = "today-refresh-token.json"

  private let state: any StateStorage
  private let seal: StoreSeal
  private let origin: String
  private let logger: Logger

  /// Creates the store for the token that replaces the one of `credentials`.
  ///
  /// - Throws: ``StateError``.
  init(_ state: any StateStorage, url: String, credentials: OAuthCredentials, logger: Logger) throws {
    self.state = state
    seal = try StoreSeal(state, clearBridges: [], logger: logger)
    self.logger = logger
    let parts = [url, credentials.clientID ?? "", credentials.refreshToken.reveal()]
    origin = Base64URL.encode(SHA256.hash(parts.map { "\($0.utf8.count):\($0)" }.joined()))
  }

  /// The token of an earlier start; nil if there is none for this configuration.
  func read() throws -> Secret? {
    guard let data = try state.read(Self.fileName), let opened = seal.open(Array(data)),
      let stored = try? JSONValue(parsing: opened),
      stored["origin"]?.stringValue == origin, let token = stored["refreshToken"]?.stringValue, !token.isEmpty
    else { return nil }
    return Secret(token)
  }

  /// Stores a token.
  func store(_ token: Secret) {
    let content: JSONValue = ["origin": .string(origin), "refreshToken": .string(token.reveal())]
    do {
      try state.write(Data(seal.seal(Array(content.jsonText.utf8))), to: Self.fileName)
    } catch {
      logger.error(
        "The new refresh token could not be stored: \(error) After a restart, the configured one is used again.")
    }
  }
}
