import Foundation

/// Where files are read: the loop's thread must not wait for a disk.
enum FileQueue {
  private static let queue = DispatchQueue(label: "footbridge.files", attributes: .concurrent)

  /// Runs `body` on a thread of its own and returns what it returns, to where it was called from.
  nonisolated(nonsending) static func run<Success: Sendable>(
    _ body: @escaping @Sendable () throws -> Success
  ) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
