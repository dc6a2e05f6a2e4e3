package import BridgeCore

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
  /// The summary, in one line.
  package let summary: String
  /// The description after the summary; empty if there is none.
  package let details: String
  /// The parameters in the path, the query and the header fields, in the document's order.
  package let parameters: [Parameter]
  /// The schema of the body; nil if the operation takes none.
  package let body: Schema?
  /// An example of the body; nil if the document has none.
  package let example: JSONValue?
  /// Whether the body is required.
  package let needsBody: Bool
  /// The successful answers: the schema of each one's JSON, or nil for an answer without JSON.
  package let results: [Int: Schema?]
  /// The kind of the answer.
  package let kind: Kind
  /// Whether requests only read.
  package let isReading: Bool

  /// The kinds of answers.
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
    /// The location in the request.
    package enum Place: String, Sendable {
      case path, query, header
    }

    /// The name.
    package let name: String
    /// The location in the request.
    package let place: Place
    /// The description.
    package let description: String
    /// Whether it is required.
    package let isRequired: Bool
    /// The schema of its value.
    package let schema: Schema
  }

  /// The name of the path variable for the session, and of the member of a body that names one.
  package static let session = "session"

  /// Whether the operation belongs to one session.
  package var isOfSession: Bool { parameters.contains { $0.name == Self.session } }
  /// Whether the body must name a session, such as the one of a snapshot.
  package var needsSessionInBody: Bool { body?.required.contains(Self.session) ?? false }
  /// The variables of the path, without that of the session.
  package var variables: [Parameter] { parameters.filter { $0.place == .path && $0.name != Self.session } }
  /// The parameters of the query and of the fields, without the session.
  package var settings: [Parameter] { parameters.filter { $0.place != .path && $0.name != Self.session } }
  /// Whether it only adds something: its successful answer is 201 (Created).
  package var isCreating: Bool { method == "POST" && results[201] != nil }
  /// The schema of the answer, if all successful answers have the same one.
  package var result: Schema? { results.count == 1 ? results.values.first.flatMap { $0 } : nil }
}
