public import BridgeRuntime
public import Logging
package import WebServer

/// The part of the starting server that bridges use.
@BridgeActor
public final class ServerContext {
  /// Answers a request for a resource of a bridge. `path` is the rest of the path after the published one.
  package typealias ResourceHandler = @BridgeActor (_ exchange: HTTPExchange, _ path: Substring) async -> Void

  /// A resource that a bridge serves below `/__footbridge/`.
  package struct Resource {
    /// The path below `/__footbridge/`, or its beginning if it ends with a slash.
    package let path: String
    /// What it is for, as the rest of a sentence, for the page that lists the server's addresses.
    package let purpose: String
    fileprivate let handler: ResourceHandler
  }

  /// The origins that pages have in production; empty if they are unknown.
  public nonisolated let siteOrigins: [String]
  /// The server's log.
  public nonisolated let logger: Logger
  /// The server's clock.
  public nonisolated let clock: any BridgeClock
  /// The source of unpredictable values.
  public nonisolated let random: BridgeRandom

  /// The limits of pages.
  package let limits: FootbridgeLimits
  /// The files that outlive the server; nil if nothing is stored.
  package let storage: (any StateStorage)?
  private let secrets: IssuedSecrets?
  private var begins: [@BridgeActor () async -> Void] = []
  private var refreshes: [@BridgeActor () async -> Void] = []
  private var refreshing: Task<Void, Never>?
  private var stops: [@BridgeActor () async -> Void] = []
  private var parts: [String: AnyObject] = [:]
  /// The resources of all bridges, in the order of the bridges.
  package private(set) var resources: [Resource] = []
  /// Whether other servers run sessions of the same store.
  package let isShared: Bool
  /// The server's own address for programs of this machine, such as `http://127.0.0.1:8080`; nil until it listens.
  package var address: String?
  /// The server's sessions, once they exist.
  package weak var sessions: SessionRegistry?

  package init(
    siteOrigins: [String], limits: FootbridgeLimits, storage: (any StateStorage)?, logger: Logger,
    clock: any BridgeClock,
    random: BridgeRandom,
    secrets: IssuedSecrets? = nil,
    isShared: Bool = false
  ) {
    self.isShared = isShared
    self.siteOrigins = siteOrigins
    self.limits = limits
    self.storage = storage
    self.logger = logger
    self.clock = clock
    self.random = random
    self.secrets = secrets
  }

  /// Removes a secret from the journals of all sessions.
  public func leaveOut(_ secret: Secret) {
    secrets?.remember(secret)
  }

  /// Keeps an object that a bridge shares among its sessions, for the bridge's control routes.
  package func retain(_ part: AnyObject, of bridge: String) {
    parts[bridge] = part
  }

  /// Returns the object of this type that a bridge shares among its sessions; nil if there is none.
  package func part<Part>(_ type: Part.Type, of bridge: String) -> Part? { parts[bridge] as? Part }

  /// Runs `body` when the server listens and its sessions can be launched. If several servers share a store, runs it again whenever one of
  /// them has ended.
  package func onBegin(_ body: @escaping @BridgeActor () async -> Void) {
    begins.append(body)
  }

  /// Runs the bodies of ``onBegin(_:)``: the server listens, or continues the work of another one.
  func begin() {
    let begins = begins
    Task { for begin in begins { await begin() } }
  }

  /// Runs `body` regularly if other servers share the files, since they may have changed them.
  package func onRefresh(_ body: @escaping @BridgeActor () async -> Void) {
    refreshes.append(body)
  }

  /// Runs the bodies of ``onRefresh(_:)``: other servers may have changed shared data.
  func refresh() {
    guard refreshing == nil, !refreshes.isEmpty else { return }
    refreshing = Task {
      for refresh in refreshes { await refresh() }
      refreshing = nil
    }
  }

  /// Runs `body` when the server stops, after its last page has ended.
  public func onStop(_ body: @escaping @BridgeActor () async -> Void) {
    stops.append(body)
  }

  /// Answers requests below `/__footbridge/` whose paths begin with `path`. `purpose` says what they are for, as the rest of a sentence.
  package func serve(_ path: String, purpose: String, _ handler: @escaping ResourceHandler) {
    resources.append(Resource(path: path, purpose: purpose, handler: handler))
  }

  /// The handler for a path below `/__footbridge/`; nil if no bridge has one.
  package func resource(at path: Substring) -> (handler: ResourceHandler, rest: Substring)? {
    guard let resource = resources.first(where: { path.hasPrefix($0.path) }) else { return nil }
    return (resource.handler, path.dropFirst(resource.path.count))
  }

  /// Runs the bodies of ``onStop(_:)``, since the server has stopped.
  package func stop() async {
    for stop in stops { await stop() }
    stops = []
  }
}
