package import BridgeCore
package import BridgeRuntime
import HTTP1
import HTTPTypes

/// What native sets for the pages of each session, and which sessions have had their first document.
@BridgeActor
package final class Launches {
  /// The maximum number of sessions that are remembered.
  package nonisolated static let limit = 10_000

  private let usual: LaunchData
  /// What the control API has set for single sessions, by their ids.
  private var own: [String: LaunchData] = [:]
  /// The ids of the sessions whose first document was served.
  private var begun: Set<String> = []

  /// Creates the object. `usual` is for sessions without data of their own.
  package nonisolated init(_ usual: LaunchData) {
    self.usual = usual
  }

  /// The data of a session; nil stands for a new one.
  subscript(sessionID: String?) -> LaunchData { sessionID.flatMap { own[$0] } ?? usual }

  /// Sets the data of a session. Its next document counts as its first one.
  package func set(_ data: LaunchData, of sessionID: String) {
    if own.count >= Self.limit { own = [:] }
    own[sessionID] = data
    begun.remove(sessionID)
  }

  /// Gives a session the usual data again.
  package func reset(_ sessionID: String) {
    own[sessionID] = nil
    begun.remove(sessionID)
  }

  /// Whether the next document of a session is its first one.
  func isFirst(_ sessionID: String?) -> Bool { sessionID.map { !begun.contains($0) } ?? true }

  /// A document of a session is served. Its response sets the cookies if it is the first one.
  func serves(_ sessionID: String, _ fields: inout HTTPFields) {
    guard isFirst(sessionID) else { return }
    if begun.count >= Self.limit { begun = [] }
    begun.insert(sessionID)
    for cookie in self[sessionID].cookies {
      fields.append(HTTPField(name: .setCookie, value: cookie.setCookie))
    }
  }

  /// What the script in a page of a session sets, signed now.
  package func page(of sessionID: String?, at now: BridgeInstant) -> JSONValue { self[sessionID].page(at: now) }

  /// Whether pages of a session load a script.
  func hasScript(_ sessionID: String?) -> Bool { self[sessionID].hasScript }
}
