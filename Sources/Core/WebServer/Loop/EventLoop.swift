import BridgeRuntime
import CLibwebsockets
import Essentials

/// The event loop of the process, with its only libwebsockets context. It is the run loop of ``BridgeExecutor``: the
/// actor's jobs run between two turns.
///
/// It starts with the first server or client, and runs until the process ends.
final class EventLoop: BridgeRunLoop {
  /// One read buffer for all connections. Its content is valid only during the callback that fills it.
  @BridgeActor static let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// The descriptors that this module reads and writes itself; nil before the loop has started.
  @BridgeActor private(set) static var descriptors: DescriptorQueue?

  @BridgeActor private static var running: EventLoop?

  // The pointer never changes. Other threads only call `lws_cancel_service` with it, which libwebsockets allows.
  nonisolated(unsafe) let context: OpaquePointer
  private nonisolated(unsafe) let libev: LibevLoop?

  private init(context: OpaquePointer, libev: LibevLoop?) {
    self.context = context
    self.libev = libev
  }

  /// Starts the process's loop. If it is already running, returns it and ignores `kind`.
  ///
  /// - Throws: ``HTTPServerError/libevMissing`` or ``HTTPServerError/loopUnavailable``.
  @BridgeActor
  @discardableResult
  static func start(_ kind: EventLoopKind = .automatic) throws -> EventLoop {
    if let running { return running }
    signal(SIGPIPE, SIG_IGN)
    // libwebsockets sizes its tables by this limit when it creates its context.
    raiseDescriptorLimit(to: 65_536)
    let loop = try create(kind)
    descriptors = try DescriptorQueue(loop: loop)
    BridgeExecutor.shared.install(loop)
    running = loop
    return loop
  }

  /// Creates a loop. ``EventLoopKind/automatic`` falls back to `poll` if libev cannot be used, for example because the
  /// plugin belongs to another build of libwebsockets.
  private static func create(_ kind: EventLoopKind) throws -> EventLoop {
    if kind != .poll, let libev = LibevLoop() {
      lws_set_log_level(kind == .automatic ? 0 : errorsAndWarnings, report)
      if let context = createContext(libev) {
        lws_set_log_level(errorsAndWarnings, report)
        runTimeouts(of: context)
        return EventLoop(context: context, libev: libev)
      }
    } else if kind == .libev {
      throw HTTPServerError.libevMissing
    }
    lws_set_log_level(errorsAndWarnings, report)
    guard kind != .libev, let context = createContext(nil) else { throw HTTPServerError.loopUnavailable }
    return EventLoop(context: context, libev: nil)
  }

  private static func createContext(_ libev: LibevLoop?) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = footbridge_lws_context_options()
    info.pt_serv_buf_size = 65_536
    if libev != nil { info.options |= footbridge_lws_libev_option() }
    var loops = [libev?.pointer]
    return loops.withUnsafeMutableBufferPointer { loops in
      if libev != nil { info.foreign_loops = loops.baseAddress }
      return lws_create_context(&info)
    }
  }

  /// Makes libev's plugin check libwebsockets' timeouts every second.
  ///
  /// The plugin sets its timer only in a turn without events, and never to an earlier time. Without this, timeouts
  /// would be late, and would never fire on a busy server.
  private static func runTimeouts(of context: OpaquePointer) {
    let pulse = UnsafeMutablePointer<lws_sorted_usec_list_t>.allocate(capacity: 1)
    pulse.initialize(to: lws_sorted_usec_list_t())
    lws_sul_schedule(
      context, 0, pulse,
      { pulse in
        guard let running = BridgeActor.assumeIsolated(0, { _ in EventLoop.running }) else { return }
        lws_sul_schedule(running.context, 0, pulse, pulse?.pointee.cb, EventLoop.secondInMicroseconds)
      }, secondInMicroseconds)
  }

  private static let secondInMicroseconds: lws_usec_t = 1_000_000

  /// Writes a line of libwebsockets' log.
  private static let report: @convention(c) (Int32, UnsafePointer<CChar>?) -> Void = { _, line in
    guard let line else { return }
    // If standard error has no reader, the line is lost.
    try? StandardStream.error.write("libwebsockets: " + String(cString: line))
  }

  // LLL_ERR | LLL_WARN, and LLL_WARN.
  private static let errorsAndWarnings: Int32 = 3
  private static let warnings: Int32 = 2

  /// Runs `body` without libwebsockets' error messages. It logs an error for each connection that is handed over to it.
  @BridgeActor
  static func withoutErrorReports<Result>(_ body: () -> Result) -> Result {
    lws_set_log_level(warnings, nil)
    defer { lws_set_log_level(errorsAndWarnings, nil) }
    return body()
  }

  /// Sends what a connection has queued at the end of the current turn, or of the current round of jobs.
  ///
  /// The messages of one turn are thus sent together, and without waiting for the kernel to report that the socket is
  /// writable. Messages from before a protocol error are sent before libwebsockets' close frame.
  ///
  /// With many waiting connections, sends earlier, in small groups, while their data is still in the processor's
  /// caches. (Without this, 4 % more CPU time for `query of a page, 64 × 16`, and a median that is 17 % longer.)
  @BridgeActor
  static func flushSoon(_ connection: any Flushable) {
    if unflushed.count >= groupLimit { flushConnections(isAfterTurn: true) }
    unflushed.append(connection)
  }

  /// With this many waiting connections, their messages are sent at once.
  private static let groupLimit = 32

  @BridgeActor private static var unflushed: [any Flushable] = []

  func prepareToWait() {
    BridgeActor.assumeIsolated(false) { EventLoop.flush(isAfterTurn: $0) }
  }

  func turn() {
    if let libev { libev.turn() } else { _ = lws_service(context, 0) }
    BridgeActor.assumeIsolated(true) { EventLoop.flush(isAfterTurn: $0) }
  }

  @BridgeActor
  private static func flush(isAfterTurn: Bool) {
    flushConnections(isAfterTurn: isAfterTurn)
    descriptors?.settle()
  }

  @BridgeActor
  private static func flushConnections(isAfterTurn: Bool) {
    while let connection = unflushed.popLast() { connection.flush(isAfterTurn: isAfterTurn) }
  }

  func wake() {
    lws_cancel_service(context)
  }

  /// Ends the current turn soon. Timers fire at the beginning of a turn, before libwebsockets waits for sockets. The
  /// jobs that they create would otherwise wait for the next event.
  @BridgeActor
  static func runJobsSoon() {
    running?.wake()
  }

  /// Calls the timer function of ``descriptors`` after some milliseconds.
  @BridgeActor
  static func setTimer(_ connection: OpaquePointer, after milliseconds: Int64) {
    if let libev = running?.libev {
      libev.call(after: milliseconds) { _, _ in
        BridgeActor.assumeIsolated(0) { _ in EventLoop.descriptors?.libevTimerFired() }
      }
    } else {
      lws_set_timer_usecs(connection, milliseconds * 1000)
    }
  }
}

/// A connection that queues what it sends, until the event loop flushes it (``EventLoop/flushSoon(_:)``).
@BridgeActor
protocol Flushable: AnyObject {
  /// Sends what is queued. `isAfterTurn` is false when the loop is about to wait, after jobs and not after a turn.
  func flush(isAfterTurn: Bool)
}

/// How the event loop waits for events (`--event-loop`).
public enum EventLoopKind: String, Sendable, CaseIterable {
  /// ``libev`` where it is installed; otherwise ``poll``.
  case automatic = "auto"
  /// libwebsockets' own `poll`. It checks all WebSockets in each turn.
  case poll
  /// libev, through libwebsockets' plugin (Debian's `libwebsockets-evlib-ev`). It checks only WebSockets with events:
  /// as fast as `poll` with some hundreds of them, and faster with thousands.
  case libev
}
