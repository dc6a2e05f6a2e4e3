public import Footbridge
public import Testing

/// Gives each test its own ``TestServer``. While the test runs, it is ``TestServer/current``.
public struct FootbridgeTrait: TestTrait, SuiteTrait, TestScoping {
  private let configure: @Sendable (inout FootbridgeOptions) throws -> Void

  /// On a suite, the trait applies to every test in it.
  public var isRecursive: Bool { true }

  init(_ configure: @escaping @Sendable (inout FootbridgeOptions) throws -> Void) {
    self.configure = configure
  }

  /// Runs a test with its server.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestServer.run(configure) { server in
      try await RunningTest.$server.withValue(server) { try await function() }
    }
  }
}

/// The running test.
enum RunningTest {
  /// The server that the trait has created for it.
  @TaskLocal static var server: TestServer?
}

extension Trait where Self == FootbridgeTrait {
  /// A server of its own for the test, or for each test of the suite.
  ///
  ///     @Test(.footbridge { options in options.present = .auto })
  ///     func `a purchase that is approved is delivered`() async throws {
  ///       let server = try TestServer.current
  ///       let page = try await server.openPage()
  ///       …
  ///     }
  ///
  /// - Parameter configure: changes ``TestServer/usualOptions``.
  public static func footbridge(
    _ configure: @escaping @Sendable (inout FootbridgeOptions) throws -> Void
  ) -> FootbridgeTrait {
    FootbridgeTrait(configure)
  }

  /// A server with ``TestServer/usualOptions`` of its own for the test, or for each test of the suite.
  public static var footbridge: FootbridgeTrait { FootbridgeTrait { _ in } }
}
