import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Posts to a server outside, off the bridge's actor. Follows no redirect, keeps no cookie, and reads an answer up to a limit only: what is
/// posted holds secrets, and the server may be anyone's.
final class HTTPPoster: NSObject, URLSessionDataDelegate, Sendable {
  /// Why there is no answer. It says nothing of what was posted.
  enum Failure: Error {
    case noAnswer
    case answerTooLong
  }

  private struct Transfer {
    var body: [UInt8] = []
    var isTooLong = false
    let continuation: CheckedContinuation<(status: Int, body: [UInt8]), any Error>
  }

  /// The longest answer that is read, in octets.
  static let maximumByteCount = 1 << 20

  private let url: URL
  private let timeout: TimeInterval
  private let transfers = Mutex<[Int: Transfer]>([:])
  private let session = Mutex<URLSession?>(nil)

  /// Posts to `url` and waits for `timeout` seconds at the most. Throws ``FootbridgeError/urlInvalid(_:)``.
  init(url: String, timeout: TimeInterval) throws(FootbridgeError) {
    guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased()) else {
      throw .urlInvalid(url)
    }
    self.url = parsed
    self.timeout = timeout
  }

  /// Posts `body` and returns the answer, whatever its status.
  func post(_ body: [UInt8], contentType: String) async throws -> (status: Int, body: [UInt8]) {
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.httpShouldHandleCookies = false
    let task = urlSession.dataTask(with: request)
    return try await withCheckedThrowingContinuation { continuation in
      transfers.withLock { $0[task.taskIdentifier] = Transfer(continuation: continuation) }
      task.resume()
    }
  }

  /// Made with the first request. It keeps its delegate for good: a poster lives as long as the process.
  private var urlSession: URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      configuration.timeoutIntervalForRequest = timeout
      configuration.timeoutIntervalForResource = timeout
      let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      session = made
      return made
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = transfers.withLock { transfers in
      guard let count = transfers[dataTask.taskIdentifier]?.body.count else { return false }
      let isTooLong = count + data.count > Self.maximumByteCount
      if isTooLong {
        transfers[dataTask.taskIdentifier]?.isTooLong = true
      } else {
        transfers[dataTask.taskIdentifier]?.body.append(contentsOf: data)
      }
      return isTooLong
    }
    if isTooLong { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if transfer.isTooLong { return transfer.continuation.resume(throwing: Failure.answerTooLong) }
    guard error == nil, let response = task.response as? HTTPURLResponse else {
      return transfer.continuation.resume(throwing: Failure.noAnswer)
    }
    transfer.continuation.resume(returning: (response.statusCode, transfer.body))
  }
}
