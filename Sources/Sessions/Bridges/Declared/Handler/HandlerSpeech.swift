package import BridgeCore

/// What a handler says in one line.
package enum HandlerSpeech: Sendable, Hashable {
  /// What the handler speaks of.
  package struct Place: Sendable, Hashable {
    /// The session's id; nil where the page's id is enough.
    package let session: String?
    /// The page's id; nil for what is about no page.
    package let page: String?
  }

  /// The reply to a message; nil for `undefined`.
  case reply(message: Int, JSONValue?)
  /// The error that a message rejects with.
  case fail(message: Int, String)
  /// Something that a page does. With an `id`, the handler wants to know what comes of it.
  case act(Place, DeclaredEvent, id: JSONValue?)
  /// A native screen. `number` is what its answer is told under.
  case sheet(Place, number: JSONValue, DeclaredSheet)

  /// What is wrong with a line. It repeats nothing of the line, which may hold secrets.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// What the handler has written: "a line that is …".
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// Reads a line.
  ///
  /// - Throws: ``Problem``.
  package init(_ line: HandlerLines.Line) throws(Problem) {
    guard let line else { throw Problem("a line that is too long") }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw Problem("a line that is no JSON: \(error)")
    }
    self = try Self.reading(value)
  }

  /// Reads what a line holds.
  package static func reading(_ value: JSONValue) throws(Problem) -> HandlerSpeech {
    guard let members = value.objectValue else { throw Problem("a line that is no JSON object") }
    if let message = members["message"] { return try answer(to: message, members) }
    let place = Place(session: members["session"]?.stringValue, page: members["page"]?.stringValue)
    if let sheet = members["sheet"] {
      guard sheet.isLabel else { throw Problem("a sheet whose number is neither a number nor a text") }
      return .sheet(place, number: sheet, try DeclaredSheet(members))
    }
    let id = members["id"]
    if let id, !id.isLabel { throw Problem("a line whose id is neither a number nor a text") }
    guard place.page != nil else {
      throw Problem("a line that has neither message, nor sheet, nor page with call, event or evaluate")
    }
    return .act(place, try event(members), id: id)
  }

  private static func answer(
    to message: JSONValue, _ members: [String: JSONValue]
  ) throws(Problem) -> HandlerSpeech {
    guard let number = message.numberValue.flatMap({ Int(exactly: $0) }) else {
      throw Problem("an answer whose message is no number")
    }
    if let error = members["error"] { return .fail(message: number, error.stringValue ?? error.jsonText) }
    return .reply(message: number, members["reply"])
  }

  private static func event(_ members: [String: JSONValue]) throws(Problem) -> DeclaredEvent {
    if let path = members["call"] {
      let arguments = members["args"] ?? []
      guard arguments.arrayValue != nil else { throw Problem("a call whose args are no array") }
      guard let call = DeclaredEvent.call(path.arrayValue ?? [path], arguments) else {
        throw Problem("a call that is no path of a function")
      }
      return call
    }
    if let event = members["event"] {
      guard let name = event.stringValue else { throw Problem("an event whose name is no text") }
      return .event(name, members["detail"])
    }
    guard let script = members["evaluate"] else {
      throw Problem("a line that has neither message, nor sheet, nor page with call, event or evaluate")
    }
    guard let text = script.stringValue else { throw Problem("a script to evaluate that is no text") }
    return .evaluate(text)
  }
}

extension JSONValue {
  /// Whether this can be what a handler calls its own question or sheet.
  fileprivate var isLabel: Bool {
    switch self {
    case .number: true
    case .string(let text): text.utf8.count <= 200
    default: false
    }
  }
}
