package import Logging
import Synchronization

/// Logs that the store cannot be used, and that it can again: one line each, however many requests meet the outage.
package final class StoreOutage: Sendable {
  private let failing = Mutex(false)
  private let logger: Logger
  private let action: String
  private let effect: String

  /// - Parameters:
  ///   - action: What cannot be done, as the rest of a sentence: "be read".
  ///   - effect: A sentence that says what follows.
  package init(_ action: String, effect: String, _ logger: Logger) {
    (self.action, self.effect, self.logger) = (action, effect, logger)
  }

  /// Notes a failure.
  package func failed(_ error: any Error) {
    let isNew = failing.withLock { failing in
      defer { failing = true }
      return !failing
    }
    if isNew { logger.error("The store cannot \(action): \(error). \(effect)") }
  }

  /// Notes a success.
  package func succeeded() {
    let wasFailing = failing.withLock { failing in
      defer { failing = false }
      return failing
    }
    if wasFailing { logger.notice("The store can \(action) again.") }
  }
}

/// The store cannot be read at the moment, by no request. The log says why, once.
package struct StoreUnavailable: Error, CustomStringConvertible {
  /// The answer to requests that need the store.
  package static let text = "The server cannot read its store at the moment. Its log says why. Try again."

  /// Why it cannot be read.
  let cause: any Error

  package init(
    cause: any Error
  ) {
    self.cause = cause
  }

  package var description: String { "\(cause)" }
}
