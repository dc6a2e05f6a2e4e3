import Essentials

/// Runs file operations off the loop's thread, which must not wait for a disk.
enum FileQueue {
  private static let queue = DispatchQueue(label: "footbridge.files", attributes: .concurrent)

  /// Runs `body` on another thread, and returns its result to the caller's executor.
  nonisolated(nonsending) static func run<Success: Sendable>(
    _ body: @escaping @Sendable () throws -> Success
  ) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
