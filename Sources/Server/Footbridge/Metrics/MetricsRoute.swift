import BridgeRuntime
import BridgeServer
import Cluster
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// `/__footbridge/metrics`: figures about the server for Prometheus. They contain no secrets, and no data of pages.
@BridgeActor
struct MetricsRoute {
  /// The token that a request needs; nil if everybody may read the figures (`--open-metrics`).
  let token: ControlToken?
  let sessions: SessionRegistry
  let requests: RequestMetrics
  let server: HTTPServer
  /// The number of times that a bound was reached.
  let limitCount: Int
  /// The servers on the same store.
  let group: any ServerGroup
  /// Whether the server takes new pages.
  let isReady: Bool
  /// The time of the server's start, by its clock.
  let startTime: BridgeInstant

  /// Answers a request.
  func answer(_ exchange: HTTPExchange) {
    guard exchange.allows([.get, .head]) else { return }
    if let token, !token.authorizes(exchange.head.fields) {
      return exchange.respondProblem(
        .unauthorized,
        "The metrics need the token of the control API as a bearer token, unless the server is started with --open-metrics.",
        fields: [.wwwAuthenticate: "Bearer realm=\"footbridge\""])
    }
    exchange.respond(
      .ok, fields: [.contentType: MetricsText.contentType, .cacheControl: "no-store"], body: Array(text.utf8))
  }

  private var text: String {
    var metrics = MetricsText()
    metrics.gauge(
      "footbridge_build_info", "The version of Footbridge, as a label.", 1, "version=\"\(FootbridgeVersion.current)\"")
    metrics.gauge("footbridge_ready", "Whether the server takes new pages; 0 once it is stopping.", isReady ? 1 : 0)
    metrics.gauge(
      "process_start_time_seconds", "When the server was started, in seconds since the Unix epoch.",
      Int(startTime.millisecondsSinceEpoch / 1000))
    addSessions(&metrics)
    addStore(&metrics)
    addReplicas(&metrics)
    addRequests(&metrics)
    return metrics.text
  }

  private func addSessions(_ metrics: inout MetricsText) {
    let figures = sessions.figures
    metrics.gauge("footbridge_sessions", "Sessions that are running.", figures.sessions)
    metrics.gauge("footbridge_pages", "Pages, including those that lost their connection a moment ago.", figures.pages)
    metrics.gauge("footbridge_pages_connected", "Pages that are connected.", figures.connectedPages)
    metrics.counter(
      "footbridge_messages_total", "Messages from and to pages.",
      [
        ("direction=\"received\"", sessions.metrics.receivedMessages),
        ("direction=\"sent\"", sessions.metrics.sentMessages),
      ])
    metrics.gauge("footbridge_calls_open", "Calls of pages that have no answer yet.", figures.openCalls)
    metrics.histogram(
      "footbridge_call_duration_seconds", "Time from a page's call to the host's answer.",
      sessions.metrics.callDurations)
    metrics.gauge("footbridge_sheets_open", "Native sheets that wait for an answer.", figures.openSheets)
    metrics.gauge("footbridge_holds", "Calls, flows and sheets that wait at gates of rules.", figures.holds)
    metrics.gauge("footbridge_journal_bytes", "Memory of all journals, in bytes.", figures.journalBytes)
    metrics.gauge(
      "footbridge_journal_limit_bytes", "Memory that the journals may have, in bytes.", figures.journalByteLimit)
  }

  private func addStore(_ metrics: inout MetricsText) {
    guard let queue = sessions.figures.storeQueue else { return }
    metrics.gauge("footbridge_store_queue", "Sessions whose changes wait for the store or are being written.", queue)
    metrics.histogram(
      "footbridge_store_write_duration_seconds", "Time that the store takes to write and sync changes.",
      sessions.metrics.writeDurations)
    metrics.counter(
      "footbridge_store_failures_total", "Changes of sessions that the store has not kept.",
      sessions.metrics.failedChanges)
  }

  private func addReplicas(_ metrics: inout MetricsText) {
    guard let replicas = group as? ReplicaGateway else { return }
    let ownership = replicas.ownership
    metrics.gauge(
      "footbridge_replica_lease", "Whether this replica has its lease, and so may serve sessions.",
      ownership.hasLease ? 1 : 0)
    if let time = ownership.timeSinceRenewal {
      metrics.gauge(
        "footbridge_replica_renewal_age_milliseconds", "Time since the lease was last extended.",
        Int(time / .milliseconds(1)))
    }
    metrics.gauge(
      "footbridge_replica_lease_left_milliseconds",
      "Time until this replica stops serving its sessions, unless it reaches the database; 0 without a lease.",
      Int(ownership.timeLeft / .milliseconds(1)))
    metrics.gauge("footbridge_replicas", "Replicas whose leases run, including this one.", ownership.living.count)
    metrics.gauge("footbridge_replica_sessions", "Sessions that this replica owns.", ownership.count)
    metrics.counter(
      "footbridge_replica_takeovers_total", "Sessions taken over from replicas that have ended.",
      ownership.takeOverCount)
    metrics.histogram(
      "footbridge_replica_takeover_duration_seconds",
      "Time from a request for a session of a replica that has ended until the session was taken over.",
      ownership.takeOverDurations)
    metrics.counter("footbridge_replica_leases_lost_total", "How often the lease was lost.", ownership.lossCount)
    metrics.counter(
      "footbridge_replica_requests_total", "Requests to and from other replicas.",
      [
        ("direction=\"passed\"", replicas.forwarder.count), ("direction=\"received\"", replicas.receivedCount),
        ("direction=\"handed_back\"", replicas.handedBackCount),
      ])
    metrics.gauge(
      "footbridge_replica_requests_open", "Requests and WebSockets that other replicas answer now.",
      replicas.forwarder.open.count)
  }

  private func addRequests(_ metrics: inout MetricsText) {
    metrics.gauge("footbridge_connections", "Open connections, including WebSockets.", server.connectionCount)
    metrics.gauge("footbridge_websockets", "Open WebSockets.", server.webSocketCount)
    metrics.counter(
      "footbridge_http_responses_total", "Responses to HTTP requests, by the first digit of their status.",
      requests.counts.enumerated().map { ("class=\"\($0 + 1)xx\"", $1) })
    metrics.histogram(
      "footbridge_http_request_duration_seconds", "Time from the head of a request to the end of its response.",
      requests.durations)
    metrics.counter("footbridge_bounds_reached_total", "How often something has reached a bound.", limitCount)
  }
}

/// Counts of the requests that the server has answered.
struct RequestMetrics {
  /// The numbers of responses, by the first digit of their status, which is 1 to 5.
  private(set) var counts = [Int](repeating: 0, count: 5)
  /// The durations of the requests.
  private(set) var durations = Histogram()

  /// A request was answered.
  mutating func answered(_ status: HTTPResponse.Status, _ nanoseconds: Int) {
    counts[min(max(status.code / 100, 1), 5) - 1] += 1
    durations.count(nanoseconds)
  }
}
