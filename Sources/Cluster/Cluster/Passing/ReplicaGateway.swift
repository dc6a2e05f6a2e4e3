package import BridgeCore
package import BridgeRuntime
import BridgeServer
import Cryptography
import HTTP1
import HTTPTypes
import Logging
package import Sessions
package import WebServer

/// Receives the requests of a server that shares its database. Each request of a session is answered by the replica that owns the session.
@BridgeActor
package final class ReplicaGateway: ServerGroup {
  /// The sessions that this replica owns.
  package let ownership: SessionOwnership
  /// The number of requests from other replicas.
  package private(set) var receivedCount = 0
  /// The number of those that were handed back, since this replica did not own their session.
  package private(set) var handedBackCount = 0
  /// Passes requests on.
  package let forwarder: ReplicaForwarder

  private let sessions: SessionRegistry
  private let lookups: [@Sendable (Substring) -> SessionLookup?]
  private let authentication: AuthenticationCode
  private var usedMarks = UsedMarks()
  private let claimTimeout: Int
  private let logger: Logger
  /// The last known owners of sessions, by the sessions' ids. A replica that no longer owns a session hands its requests back.
  private var elsewhere: [String: (key: String, replica: Replica)] = [:]

  /// The number of requests that wait before their next claim.
  private var waitingCount = 0
  /// The pauses of those that wait for the sessions of an unreachable replica.
  private var pauses: [Replica: Set<Task<Void, Never>>] = [:]
  /// If more requests than this wait, they wait longer in proportion, …
  private static let quicklyWaitingCount = 1000
  /// … up to this factor.
  private static let longestWait = 8

  /// The maximum number of remembered owners.
  private static let rememberedCount = 100_000

  /// - Parameters:
  ///   - key: The key of all replicas.
  ///   - lease: The length of leases. A request waits for a take-over only a little longer than that.
  ///   - longestSilence: How long the owner of a session may send nothing to a page of this replica.
  init(
    _ ownership: SessionOwnership, sessions: SessionRegistry, key: [UInt8], lease: Duration, longestSilence: Duration,
    logger: Logger
  ) throws {
    self.ownership = ownership
    self.sessions = sessions
    let table = sessions.bridgeTable
    lookups = (table.definitions + table.definitionsOff).map(\.profile.lookup)
    self.logger = logger
    authentication = AuthenticationCode(key: key)
    claimTimeout = Int((lease + Self.takeOverTime) / .nanoseconds(1))
    forwarder = try ReplicaForwarder(authentication, longestSilence: longestSilence, logger: logger)
    ownership.onEnded = { [weak self] in self?.ended($0) }
  }

  /// The maximum time between the end of a lease and the take-over.
  private static let takeOverTime = Duration.seconds(2)

  package func listens(at address: String) { forwarder.serverAuthority = HTTPOrigin(address)?.authority }

  /// Closes the connections to other replicas.
  package func stop() { forwarder.stop() }

  // MARK: Where a request is answered

  /// Reads the mark of a request that another replica has passed on, and restores the client's request.
  package func receive(_ exchange: HTTPExchange) -> RequestReception {
    guard exchange.head.fields.contains(ReplicaHop.field) else { return .client }
    guard let hop = ReplicaHop(exchange.head, authentication), let serial = hop.serial else {
      exchange.respondText(
        .forbidden,
        "This request claims to come from another replica, but not with the key of this one, or from a version that this one does not understand. All replicas need the same --state-key, and the same version or neighbouring ones."
      )
      return .answered
    }
    if !usedMarks.use(serial) {
      exchange.respondText(
        .forbidden, "This request from another replica has come before, and is not answered again.",
        fields: [ReplicaHop.field: ReplicaHop.repeated])
      return .answered
    }
    receivedCount += 1
    guard hop.receiver == ownership.replica?.id else {
      handBack(exchange)
      return .answered
    }
    var fields = exchange.head.fields
    if hop.sealsBody, exchange.head.bodyFraming.hasBody {
      guard let shorter = BodySeal.fields(fields, longerBy: -BodySeal.byteCount) else {
        exchange.respondText(.forbidden, "This request from another replica has no seal of its body.")
        return .answered
      }
      fields = shorter
      exchange.bodyFilter = SealedBody(of: exchange, authentication, serial)
    }
    fields[ReplicaHop.field] = hop.session == nil ? Self.ownList : nil
    var original = ForwardedRequest()
    original.isSecure = hop.isSecure
    original.address = hop.address
    original.isAddressHidden = hop.address == nil
    do {
      try exchange.replaceFields(fields)
      try exchange.applyForwarded(original)
    } catch {
      exchange.respondText(.badRequest, "\(error)")
      return .answered
    }
    return .passedOn(PassedOnRequest(session: hop.session, destination: hop.destination))
  }

  package func serves(
    _ exchange: HTTPExchange, _ passedOn: PassedOnRequest?, _ destination: RequestDestination
  ) async -> Bool {
    if let passedOn, passedOn.session == nil { return true }
    let key: String
    do {
      if let named = passedOn?.session {
        key = named
      } else {
        guard let found = try await self.key(of: exchange) else { return true }
        key = found
      }
    } catch {
      if !(error is StoreUnavailable) { logger.warning("The owner of a session could not be looked up: \(error)") }
      refuse(exchange, .noLease)
      return false
    }
    if ownership.owns(key) { return true }
    return await decide(exchange, key, isForwarded: passedOn != nil, destination)
  }

  package func serves(
    _ exchange: HTTPExchange, needing key: String, _ destination: RequestDestination
  ) async -> Bool {
    await decide(exchange, key, isForwarded: false, destination)
  }

  /// Waits for the lease of this replica. A server that has just started does not have it yet.
  package func waitForLease() async -> Bool {
    let deadline = MonotonicTime.nanosecondsWithSleep + claimTimeout
    while !ownership.hasLease {
      guard MonotonicTime.nanosecondsWithSleep < deadline else { return false }
      try? await Task.sleep(for: ForwardingStateMachine.pause)
    }
    return true
  }

  private func decide(
    _ exchange: HTTPExchange, _ key: String, isForwarded: Bool, _ destination: RequestDestination
  ) async -> Bool {
    let start = MonotonicTime.nanosecondsWithSleep
    var machine = ForwardingStateMachine(isForwarded: isForwarded, deadline: start + claimTimeout)
    var action = machine.begin(isOwned: false, owner: owner(of: key))
    var unreachable: Replica?
    while true {
      switch action {
      case .serve: return true
      case .claim:
        let claimed = await claim(key, since: start)
        if let unreachable, claimed == .mine { endPauses(for: unreachable) }
        action = machine.claimed(claimed, at: MonotonicTime.nanosecondsWithSleep)
      case .forward(let replica):
        let hop = ReplicaHop(
          receiver: replica.id, session: key, isSecure: exchange.isSecure, address: exchange.peerAddress,
          destination: destination)
        let attempt = await forwarder.forward(exchange, to: replica, hop)
        if attempt != .answered { elsewhere[Self.id(of: key)] = nil }
        if attempt == .failed { unreachable = replica }
        action = machine.attempted(attempt, at: MonotonicTime.nanosecondsWithSleep)
      case .wait(let time):
        await pause(time, for: unreachable)
        if exchange.peerHasEnded {
          exchange.respond(.clientClosedRequest)
          return false
        }
        action = machine.waited(at: MonotonicTime.nanosecondsWithSleep)
      case .handBack:
        handBack(exchange)
        return false
      case .refuse(let reason):
        refuse(exchange, reason)
        return false
      case .finish: return false
      }
    }
  }

  /// Waits for this time, or longer if thousands of requests wait: their claims would slow down the take-over itself. Ends as soon as
  /// another request has taken over a session of the unreachable replica.
  private func pause(_ time: Duration, for unreachable: Replica?) async {
    waitingCount += 1
    let factor = max(1, min(waitingCount / Self.quicklyWaitingCount, Self.longestWait))
    let pause = Task { _ = try? await Task.sleep(for: time * factor) }
    if let unreachable { pauses[unreachable, default: []].insert(pause) }
    await pause.value
    if let unreachable { pauses[unreachable]?.remove(pause) }
    waitingCount -= 1
  }

  /// The lease of a replica has ended: all requests for its sessions claim them now.
  private func endPauses(for replica: Replica) {
    for pause in pauses.removeValue(forKey: replica) ?? [] { pause.cancel() }
  }

  private func claim(_ key: String, since start: Int) async -> ForwardingStateMachine.Claimed {
    do {
      switch try await ownership.claim(key, since: start) {
      case .mine: return .mine
      case .leaseEnded: return .failed
      case .others(let replica):
        if elsewhere.count >= Self.rememberedCount { elsewhere = [:] }
        elsewhere[Self.id(of: key)] = (key, replica)
        return .others(replica)
      }
    } catch {
      logger.debug("A session could not be claimed: \(error)")
      return .failed
    }
  }

  private func owner(of key: String) -> Replica? {
    elsewhere[Self.id(of: key)].flatMap { $0.key == key ? $0.replica : nil }
  }

  /// The key of the session that a request belongs to; nil if it belongs to none.
  private func key(of exchange: HTTPExchange) async throws -> String? {
    switch RequestedSession(exchange.head, isSecure: exchange.isSecure, path: exchange.head.target.path, lookups) {
    case .none: nil
    case .key(let key): key
    case .id(let id): try await key(ofID: id)
    case .lookup(let lookup): try await lookup.find(sessions)
    }
  }

  private func key(ofID id: String) async throws -> String? {
    if let known = sessions.runningKey(ofID: id) ?? elsewhere[id]?.key { return known }
    if let owned = try await ownership.key(ofID: id) { return owned }
    return try await sessions.storedKey(ofID: id)
  }

  private static func id(of key: String) -> String { SessionKey(rawValue: key).id }

  /// Replicas have ended: their answers no longer come.
  private func ended(_ replicas: [Replica]) {
    for replica in replicas {
      forwarder.ended(replica)
      endPauses(for: replica)
    }
    elsewhere = elsewhere.filter { !replicas.contains($0.value.replica) }
    let others = replicas.filter { $0.address != ownership.replica?.address }
    if !others.isEmpty, ownership.hasLease { sessions.continueWork() }
  }

  // MARK: Answers

  private func handBack(_ exchange: HTTPExchange) {
    handedBackCount += 1
    exchange.respondText(
      .misdirectedRequest, "The session is not at this replica.", fields: [ReplicaHop.field: ReplicaHop.handedBack])
  }

  private func refuse(_ exchange: HTTPExchange, _ reason: ForwardingStateMachine.Refusal) {
    let text =
      switch reason {
      case .noLease: "This replica cannot reach the database at the moment. Try again."
      case .ownerUnreachable:
        "The replica that has this session cannot be reached. Try again; check --replica-address if this goes on."
      case .interrupted:
        "The connection to the replica that has this session broke. It is unknown whether the request had an effect."
      }
    exchange.respondText(
      reason == .interrupted ? .badGateway : .serviceUnavailable, text,
      fields: [.retryAfter: "1", .cacheControl: "no-store"])
  }

  // MARK: Lists

  /// The field's value in a request for this replica's own list of sessions.
  private static let ownList = "own-list"

  /// The sessions of the other replicas. Replicas that do not answer are left out.
  package func sessionsElsewhere(for exchange: HTTPExchange, _ destination: RequestDestination) async -> [JSONValue] {
    guard exchange.head.fields[ReplicaHop.field] != Self.ownList else { return [] }
    let (head, isSecure) = (exchange.head, exchange.isSecure)
    let lists = ownership.living.filter { $0 != ownership.replica }.map { replica in
      Task { await forwarder.ask(replica, head, isSecure: isSecure, destination) }
    }
    var sessions: [JSONValue] = []
    for list in lists {
      guard let bytes = await list.value, let value = try? JSONValue(parsing: bytes) else { continue }
      sessions += value.objectValue?["sessions"]?.arrayValue ?? []
    }
    return sessions
  }
}
