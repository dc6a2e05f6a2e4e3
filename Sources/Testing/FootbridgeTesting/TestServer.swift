public import BridgeRuntime
public import Footbridge
public import Logging

/// A server in the test's process, with a session for the test, and a clock that only the test moves.
///
/// It opens no port and keeps nothing on disk unless its options say so. A test drives it with pages that need no browser:
///
///     try await TestServer.run { options in
///       options.onPage = { host in MyApp.register(on: host) }
///     } _: { server in
///       let page = try await server.openPage()
///       let answer = try await page.call("nfc.read", ["documentNumber": "AB123456"])
///       #expect(answer["chipRead"] == true)
///     }
///
/// With Swift Testing, the trait `.footbridge` creates a server for each test: ``current``. Its methods can be called from any thread.
@BridgeActor
public final class TestServer {
  /// The server itself.
  public let footbridge: FootbridgeServer
  /// The clock of the server and all its sessions. Move it with `advance(by:)`.
  public nonisolated let clock: ManualBridgeClock
  /// The session of the test: an app that was just installed, on a device of its own. It is created on first use.
  public private(set) lazy var session = TestSession(of: footbridge, name: "test")

  /// The server that the trait `.footbridge` has created for the running test.
  ///
  /// - Throws: ``ExpectationError`` in a test without the trait.
  public nonisolated static var current: TestServer {
    get throws(ExpectationError) {
      if let server = RunningTest.server { return server }
      throw ExpectationError("There is no server: add the trait .footbridge to the test or to its suite.")
    }
  }

  /// Options for tests: a free port, no state directory, and ids that are the same in each run.
  public nonisolated static var usualOptions: FootbridgeOptions {
    var options = FootbridgeOptions()
    options.port = 0
    options.state = nil
    options.seed = 1
    return options
  }

  /// Prepares a server. Call ``stop()`` in the end, or use `run(_:logger:_:)`.
  ///
  /// - Throws: `FootbridgeError` or `StateError` if something that the server needs is missing.
  public init(
    options: FootbridgeOptions = TestServer.usualOptions,
    logger: Logger = Logger(label: "footbridge.testing") { _ in SwiftLogNoOpLogHandler() }
  ) throws {
    clock = ManualBridgeClock()
    footbridge = try FootbridgeServer(options: options, logger: logger, clock: clock)
  }

  /// Runs `body` with a server that stops afterwards.
  ///
  /// - Parameters:
  ///   - configure: Changes ``usualOptions``.
  ///   - body: What to do with the server.
  public nonisolated static func run<Result: Sendable>(
    _ configure: @Sendable (inout FootbridgeOptions) throws -> Void = { _ in },
    _ body: @BridgeActor (TestServer) async throws -> Result
  ) async throws -> Result {
    var options = usualOptions
    try configure(&options)
    let server = try await TestServer(options: options)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Creates another session: a device that shares nothing with the first one.
  public func makeSession(name: String) -> TestSession { TestSession(of: footbridge, name: name) }

  /// Opens a page in ``session``. See ``TestSession/openPage(at:)``.
  @discardableResult
  public func openPage(at target: String? = "/") async throws(ExpectationError) -> TestPage {
    try await session.openPage(at: target)
  }

  /// The journal of ``session``.
  public var journal: TestJournal { session.journal }

  /// Listens on a free port of this machine, for a browser or another client over HTTP. ``TestSession/cookie`` puts the client into a
  /// session.
  ///
  /// - Throws: `HTTPServerError`.
  @discardableResult
  public func listen() throws -> ServerAddresses { try footbridge.start() }

  /// Stops the server; its pages end.
  public func stop() async { await footbridge.stop() }
}
