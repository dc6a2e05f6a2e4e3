public import BridgeRuntime
public import Logging
package import WebServer

/// What a bridge gets of the server that starts.
@BridgeActor
public final class BridgeServer {
  /// Answers a request for a resource of a bridge: `path` is what follows the path under which it was published.
  package typealias ResourceHandler = @BridgeActor (_ exchange: HTTPExchange, _ path: Substring) async -> Void

  /// The origin that the page has in production; nil when the developer has not said it.
  public nonisolated let siteOrigin: String?
  /// The server's log.
  public nonisolated let logger: Logger
  /// The server's clock.
  public nonisolated let clock: any BridgeClock
  /// The source of what must not be foreseen.
  public nonisolated let random: BridgeRandom

  /// The bounds of what pages may ask for.
  package let limits: FootbridgeLimits
  /// The folder of what outlives the server; nil when nothing is kept.
  package let directory: StateDirectory?
  private let secrets: IssuedSecrets?
  private var stops: [@BridgeActor () async -> Void] = []
  private var resources: [(path: String, handler: ResourceHandler)] = []
  /// The server's sessions, once they are there.
  package weak var sessions: SessionRegistry?

  package init(
    siteOrigin: String?, limits: FootbridgeLimits, directory: StateDirectory?, logger: Logger, clock: any BridgeClock,
    random: BridgeRandom,
    secrets: IssuedSecrets? = nil
  ) {
    self.siteOrigin = siteOrigin
    self.limits = limits
    self.directory = directory
    self.logger = logger
    self.clock = clock
    self.random = random
    self.secrets = secrets
  }

  /// Leaves a secret out of the journals of all sessions.
  public func leaveOut(_ secret: Secret) {
    secrets?.remember(secret)
  }

  /// Runs `body` when the server stops, after its last page has gone.
  public func onStop(_ body: @escaping @BridgeActor () async -> Void) {
    stops.append(body)
  }

  /// Answers requests below `/__footbridge/` whose paths begin with `path`.
  package func serve(_ path: String, _ handler: @escaping ResourceHandler) {
    resources.append((path, handler))
  }

  /// What answers a request for a path below `/__footbridge/`; nil when no bridge has anything there.
  package func resource(at path: Substring) -> (handler: ResourceHandler, rest: Substring)? {
    guard let (prefix, handler) = resources.first(where: { path.hasPrefix($0.path) }) else { return nil }
    return (handler, path.dropFirst(prefix.count))
  }

  /// The server has stopped.
  package func stop() async {
    for stop in stops { await stop() }
    stops = []
  }
}
