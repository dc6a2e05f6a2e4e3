package import BridgeCore

/// The content of one line from a handler.
package enum HandlerMessage: Sendable, Hashable {
  /// The session and the page that a line is about.
  package struct Place: Sendable, Hashable {
    /// The session's id; nil where the page's id is enough.
    package let session: String?
    /// The page's id; nil if the line is about no page.
    package let page: String?
  }

  /// The reply to a message; nil for `undefined`.
  case reply(message: Int, JSONValue?)
  /// The error that a message rejects with.
  case fail(message: Int, DeclaredError)
  /// Something for a page to do. With an `id`, the handler wants to know the result.
  case act(Place, DeclaredEvent, id: JSONValue?)
  /// A native screen. `number` is the handler's own name for it; the line with the answer repeats it.
  case sheet(Place, number: JSONValue, DeclaredSheet)
  /// A request to the session's store. With an `id`, the handler wants to know the answer.
  case store(Place, HandlerStoreRequest, id: JSONValue?)

  /// What is wrong with a line. It contains nothing of the line, which may hold secrets.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// The end of a sentence: "The handler has written a line that is …".
    package let description: String
    /// The number of the message that the line answers; nil if that cannot be told.
    package let message: Int?

    package init(_ description: String, answerTo message: Int? = nil) {
      (self.description, self.message) = (description, message)
    }
  }

  /// Reads a line.
  ///
  /// - Throws: ``Problem``.
  package init(_ line: HandlerLines.Line) throws(Problem) {
    switch line {
    case .tooLong(let beginning, let end, let limit):
      throw Problem(
        "a line that is too long: it may have \(limit) bytes", answerTo: Self.message(beginning: beginning, end: end))
    case .whole(let bytes):
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONValue(parsing: bytes)
      } catch {
        throw Problem("a line that is not JSON: \(error)", answerTo: Self.message(beginning: bytes, end: bytes))
      }
      self = try Self.reading(value)
    }
  }

  /// Looks for the number of the message in a line that cannot be read: it is the first member, or the last one.
  private static func message(beginning: [UInt8], end: [UInt8]) -> Int? {
    let beginning = String(decoding: beginning.prefix(longestPart), as: UTF8.self)
    let end = String(decoding: end.suffix(longestPart), as: UTF8.self)
    let number =
      beginning.firstMatch(of: /^\s*\{\s*"message"\s*:\s*([0-9]{1,15})\s*[,}]/)?.output.1
      ?? end.firstMatch(of: /,\s*"message"\s*:\s*([0-9]{1,15})\s*\}\s*$/)?.output.1
    return number.flatMap { Int($0) }
  }

  private static let longestPart = 256

  /// Reads the JSON value of a line.
  ///
  /// - Throws: ``Problem``.
  package static func reading(_ value: JSONValue) throws(Problem) -> HandlerMessage {
    guard let members = value.objectValue else { throw Problem("a line that is not a JSON object") }
    if let message = members["message"] { return try answer(to: message, members) }
    let place = Place(session: members["session"]?.stringValue, page: members["page"]?.stringValue)
    if let sheet = members["sheet"] {
      guard sheet.isLabel else { throw Problem("a sheet whose number is neither a number nor a text") }
      return .sheet(place, number: sheet, try DeclaredSheet(members))
    }
    let id = members["id"]
    if let id, !id.isLabel { throw Problem("a line whose id is neither a number nor a text") }
    if let operation = members["store"] {
      return .store(place, try HandlerStoreRequest(operation, members), id: id)
    }
    guard place.page != nil else {
      throw Problem("a line that has neither message, nor sheet, nor store, nor page with call, event, set or evaluate")
    }
    return .act(place, try event(members), id: id)
  }

  private static func answer(
    to message: JSONValue, _ members: [String: JSONValue]
  ) throws(Problem) -> HandlerMessage {
    guard let number = message.numberValue.flatMap({ Int(exactly: $0) }) else {
      throw Problem("an answer whose message is not a number")
    }
    if let error = members["error"] { return .fail(message: number, DeclaredError(error)) }
    return .reply(message: number, members["reply"])
  }

  private static func event(_ members: [String: JSONValue]) throws(Problem) -> DeclaredEvent {
    if let path = members["call"] {
      let arguments = members["args"] ?? []
      guard arguments.arrayValue != nil else { throw Problem("a call whose args are not an array") }
      guard let call = DeclaredEvent.call(path.arrayValue ?? [path], arguments) else {
        throw Problem("a call that is not the path of a function")
      }
      return call
    }
    if let event = members["event"] {
      guard let name = event.stringValue else { throw Problem("an event whose name is not a text") }
      guard let event = DeclaredEvent.event(name, of: members) else {
        throw Problem("an event whose on, kind, data, origin or init is not what such an event has")
      }
      return event
    }
    if let path = members["set"] {
      guard let event = DeclaredEvent.set(path.arrayValue ?? [path], members["value"]) else {
        throw Problem("a variable to set that is not a path")
      }
      return event
    }
    guard let script = members["evaluate"] else {
      throw Problem("a line that has neither message, nor sheet, nor store, nor page with call, event, set or evaluate")
    }
    guard let text = script.stringValue else { throw Problem("a script to evaluate that is not a text") }
    return .evaluate(text)
  }
}

extension JSONValue {
  /// Whether a handler may use this as its own name for a question or a sheet.
  fileprivate var isLabel: Bool {
    switch self {
    case .number: true
    case .string(let text): text.utf8.count <= 200
    default: false
    }
  }
}
