import BridgeRuntime
import CLibwebsockets
import Foundation

/// The one libwebsockets context of the process, in the slot of ``BridgeExecutor``: between two of its turns the actor's jobs run.
///
/// It is made for the first server and lives as long as the process.
final class EventLoop: BridgeRunLoop {
  /// One for all connections: nothing read into it outlives the callback that reads.
  @BridgeActor static let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// The descriptors that are read and written here; nil before the loop is started.
  @BridgeActor private(set) static var descriptors: DescriptorQueue?

  @BridgeActor private static var running: EventLoop?

  // The pointer is set once in the initialiser. Of the calls on it only `lws_cancel_service` is made by other threads, which is the
  // one that libwebsockets allows.
  nonisolated(unsafe) let context: OpaquePointer
  private nonisolated(unsafe) let libev: LibevLoop?

  private init(context: OpaquePointer, libev: LibevLoop?) {
    self.context = context
    self.libev = libev
  }

  /// The process's loop, started if it is not running yet: only then does `kind` count. Throws when libev is not there, and when
  /// libwebsockets cannot make its context.
  @BridgeActor
  @discardableResult
  static func start(_ kind: EventLoopKind = .poll) throws -> EventLoop {
    if let running { return running }
    let libev = kind == .libev ? LibevLoop() : nil
    guard kind == .poll || libev != nil else { throw WebServerError.libevMissing }
    signal(SIGPIPE, SIG_IGN)
    // libwebsockets makes its tables for as many as there are when its context is made.
    raiseDescriptorLimit(to: 65_536)
    lws_set_log_level(errorsAndWarnings) { _, line in
      guard let line else { return }
      // Where nobody reads standard error, there is nobody to tell.
      try? StandardStream.error.write("libwebsockets: " + String(cString: line))
    }
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = footbridge_lws_context_options()
    info.pt_serv_buf_size = 65_536
    if libev != nil { info.options |= footbridge_lws_libev_option() }
    var loops = [libev?.pointer]
    let made = loops.withUnsafeMutableBufferPointer { loops in
      if libev != nil { info.foreign_loops = loops.baseAddress }
      return lws_create_context(&info)
    }
    guard let context = made else { throw WebServerError.loopUnavailable }
    let loop = EventLoop(context: context, libev: libev)
    descriptors = try DescriptorQueue(loop: loop)
    BridgeExecutor.shared.install(loop)
    running = loop
    return loop
  }

  private static let errorsAndWarnings: Int32 = 3
  private static let warnings: Int32 = 2

  /// Runs `body` without libwebsockets' reports of errors: as one it reports each connection that is handed over to it.
  @BridgeActor
  static func withoutErrorReports<Result>(_ body: () -> Result) -> Result {
    lws_set_log_level(warnings, nil)
    defer { lws_set_log_level(errorsAndWarnings, nil) }
    return body()
  }

  /// Has `connection` write what waits to be sent, once whatever is being done is done.
  ///
  /// Everything that one turn's reads, or one round of jobs, have a connection send thus goes out together, without another turn through
  /// the kernel's readiness; and what was sent before a peer broke the protocol goes out before libwebsockets' close frame.
  ///
  /// Of many connections a few at a time are served. Where messages come one by one, the answer goes out at once: what else there is to do for
  /// the message comes while it is on its way.
  @BridgeActor
  static func flushSoon(_ connection: WebSocketConnection) {
    if connection.hasNothingToAwait, messages.answersAtOnce() {
      connection.flush(isAfterTurn: false)
    } else {
      // Their answers go out while what they were made of is still in the processor's caches.
      if unflushed.count >= groupLimit { flushConnections(isAfterTurn: true) }
      unflushed.append(connection)
    }
  }

  /// Counts the messages of a turn.
  @BridgeActor static var messages = MessagesInTurn()

  /// How many connections have something to send before it is sent though the turn goes on.
  private static let groupLimit = 32

  @BridgeActor private static var unflushed: [WebSocketConnection] = []

  func prepareToWait() {
    BridgeActor.assumeIsolated(false) { EventLoop.flush(isAfterTurn: $0) }
  }

  func turn() {
    if let libev { libev.turn() } else { _ = lws_service(context, 0) }
    BridgeActor.assumeIsolated(true) { isAfterTurn in
      EventLoop.flush(isAfterTurn: isAfterTurn)
      EventLoop.messages.turnEnded()
    }
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
}
