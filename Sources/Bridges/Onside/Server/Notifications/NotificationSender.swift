import BridgeCore
package import BridgeRuntime
import BridgeServer
package import Sessions

/// Where the publisher's backend receives notifications (`onside.notifications`).
package struct NotificationSettings: Sendable, Hashable {
  /// The address, of https, or of http on this machine.
  package var url: String
  /// How long the backend may take to answer.
  package var timeout: Duration

  package init(url: String, timeout: Duration = .seconds(10)) {
    (self.url, self.timeout) = (url, timeout)
  }
}

/// Signs and posts the notifications of all sessions. Follows no redirects.
@BridgeActor
package final class NotificationSender {
  /// The outcome of an attempt.
  enum Outcome: Sendable, Hashable {
    /// The backend has answered with a status of success.
    case delivered(status: Int)
    /// The backend has answered with another status.
    case refused(status: Int)
    /// There is no answer. The reason is for people.
    case unanswered(String)
  }

  /// The maximum number of notifications on their way at the same time.
  private static let limit = 8

  private let poster: HTTPPoster
  private let signer: SigningKeys
  private var count = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a sender. Nil if the URL is not an address of `http` or `https`.
  package init?(_ settings: NotificationSettings, signer: SigningKeys) {
    guard let poster = HTTPPoster(url: settings.url, timeout: settings.timeout) else { return nil }
    self.poster = poster
    self.signer = signer
  }

  /// Sends a notification once.
  func send(_ entry: NotificationOutbox.Entry) async -> Outcome {
    await begin()
    defer { end() }
    let body: JSONValue = ["signedPayload": .string(await signed(entry.content))]
    do throws(HTTPPoster.Failure) {
      let status = try await poster.post(Array(body.jsonText.utf8), contentType: "application/json").status
      return 200..<300 ~= status ? .delivered(status: status) : .refused(status: status)
    } catch {
      return .unanswered(error.words)
    }
  }

  /// Closes the connections.
  package func stop() { poster.stop() }

  private func signed(_ content: JSONValue) async -> String {
    guard var members = content.objectValue, var data = members["data"]?.objectValue else { return "" }
    for (name, signedName) in [("transactionInfo", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo")] {
      guard let information = data.removeValue(forKey: name) else { continue }
      data[signedName] = .string(await signer.sign(information))
    }
    members["data"] = .object(data)
    return await signer.sign(.object(members))
  }

  private func begin() async {
    if count >= Self.limit { await withCheckedContinuation { waiting.append($0) } } else { count += 1 }
  }

  private func end() {
    if waiting.isEmpty { count -= 1 } else { waiting.removeFirst().resume() }
  }
}

extension HTTPPoster.Failure {
  fileprivate var words: String {
    switch self {
    case .notReached(let reason): reason
    case .timedOut: "The backend did not answer in time."
    case .noAnswer: "The backend closed the connection without an answer."
    case .answerTooLong: "The answer is too long."
    }
  }
}
