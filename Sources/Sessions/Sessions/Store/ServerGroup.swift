package import BridgeCore
package import BridgeRuntime
package import WebServer

/// Decides which server answers a request, if several share a store. Each request of a session is answered by the server that owns the session.
///
/// ``SingleServer`` is for a server that shares its store with no other one.
@BridgeActor
package protocol ServerGroup: AnyObject, Sendable {
  /// Finds out where a request comes from, and restores the client's request if another server has passed it on.
  func receive(_ exchange: HTTPExchange) -> RequestReception

  /// Whether to serve a request here. If not, it is already answered, by the owner of its session or with an error.
  ///
  /// - Parameter passedOn: What another server says of the request; nil for a request from a client.
  func serves(_ exchange: HTTPExchange, _ passedOn: PassedOnRequest?, _ destination: RequestDestination) async -> Bool

  /// Whether to serve a client's request here, after it has turned out to need a session of another server. If not, it is already answered.
  ///
  /// - Parameter key: The key of the session or world.
  func serves(_ exchange: HTTPExchange, needing key: String, _ destination: RequestDestination) async -> Bool

  /// Waits until this server may run sessions, which every change needs. Returns false if it may not in time.
  func waitForLease() async -> Bool

  /// The sessions of the other servers, as the control API shows them, for a request that lists all sessions.
  func sessionsElsewhere(for exchange: HTTPExchange, _ destination: RequestDestination) async -> [JSONValue]

  /// Notes the server's own address, such as `http://127.0.0.1:8080`.
  func listens(at address: String)

  /// Closes the connections to the other servers.
  func stop()
}

/// The origin of a request.
package enum RequestReception {
  /// From a client.
  case client
  /// From another server.
  case passedOn(PassedOnRequest)
  /// The request is answered already.
  case answered
}

/// What the server that has passed a request on says of it.
package struct PassedOnRequest: Sendable {
  /// The key of the session or world that it needs; nil if it asks for this server's own list of sessions.
  package let session: String?
  /// Its destination.
  package let destination: RequestDestination

  package init(session: String?, destination: RequestDestination) {
    self.session = session
    self.destination = destination
  }
}

/// The destination of a request. Servers that pass requests on name it by the raw value.
package enum RequestDestination: String, Sendable {
  /// The server itself, or the site that it serves.
  case own
  /// A site under its own origin.
  case site
  /// The control API, for a tab of a dashboard. The server that passes the request on has checked the tab.
  case dashboard
}

/// Answers every request itself: no other server shares the store.
package final class SingleServer: ServerGroup {
  package nonisolated init() {}
  package func receive(_ exchange: HTTPExchange) -> RequestReception { .client }
  package func serves(_: HTTPExchange, _: PassedOnRequest?, _: RequestDestination) -> Bool { true }
  package func serves(_: HTTPExchange, needing key: String, _: RequestDestination) -> Bool { true }
  package func waitForLease() -> Bool { true }
  package func sessionsElsewhere(for: HTTPExchange, _: RequestDestination) -> [JSONValue] { [] }
  package func listens(at address: String) {}
  package func stop() {}
}
