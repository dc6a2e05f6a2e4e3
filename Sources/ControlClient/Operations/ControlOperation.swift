import BridgeCore

/// One operation of the control API, as its OpenAPI document describes it.
package struct ControlOperation: Sendable {
  /// The name of the operation in the document: `listSheets`.
  package let id: String
  /// The method: `POST`.
  package let method: String
  /// The path below the API's base: `/sessions/{session}/sheets`.
  package let path: String
  /// The group of the operation: `Sheets`.
  package let tag: String
  /// What it does, in one line.
  package let summary: String
  /// What else is to know; empty if there is nothing.
  package let details: String
  /// What the path, the query and the fields of the request can have, in the document's order.
  package let parameters: [Parameter]
  /// The schema of the body; nil if the operation takes none.
  package let body: Schema?
  /// Whether the body must be there.
  package let needsBody: Bool
  /// The answers of success: the schema of each one's JSON; nil for an answer without JSON.
  package let results: [Int: Schema?]
  /// The kind of the answer.
  package let kind: Kind
  /// Whether requests only read.
  package let isReading: Bool

  /// What comes back.
  package enum Kind: Sendable, Hashable {
    /// One answer.
    case answer
    /// A stream of server-sent events.
    case events
    /// A WebSocket.
    case webSocket
  }

  /// A parameter of a request.
  package struct Parameter: Sendable {
    /// Where it stands.
    package enum Place: String, Sendable {
      case path, query, header
    }

    /// The name.
    package let name: String
    /// Where it stands.
    package let place: Place
    /// What it means.
    package let description: String
    /// Whether it must be there.
    package let isRequired: Bool
    /// The schema of its value.
    package let schema: Schema
  }

  /// The name of the variable that names the session.
  package static let session = "session"

  /// Whether the operation is about one session.
  package var isOfSession: Bool { parameters.contains { $0.name == Self.session } }
  /// The variables of the path, without that of the session.
  package var variables: [Parameter] { parameters.filter { $0.place == .path && $0.name != Self.session } }
  /// The parameters of the query and of the fields, without the session.
  package var settings: [Parameter] { parameters.filter { $0.place != .path && $0.name != Self.session } }
  /// Whether it only adds something: it answers that something was created.
  package var isCreating: Bool { method == "POST" && results[201] != nil }
  /// The schema of the answer, if every success has an answer, and of one shape.
  package var result: Schema? { results.count == 1 ? results.values.first.flatMap { $0 } : nil }
}
