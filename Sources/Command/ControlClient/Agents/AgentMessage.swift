package import BridgeCore

/// A message that a client of the Model Context Protocol has sent (JSON-RPC 2.0).
package enum AgentMessage: Sendable, Hashable {
  /// A request. Its answer has the same id: a string or a whole number.
  case request(id: JSONValue, method: String, parameters: [String: JSONValue])
  /// A notification, which gets no answer.
  case notification(method: String, parameters: [String: JSONValue])
  /// An answer. The server sends no requests, so it ignores answers.
  case answer

  /// Reads a message.
  ///
  /// - Throws: ``AgentError``, with the id of the message if that can be read.
  package init(_ line: [UInt8]) throws(AgentError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw AgentError(.parse, "This is not valid JSON: \(error).")
    }
    guard let members = value.objectValue else {
      throw AgentError(.invalidRequest, "A message must be one JSON object. There are no batches.")
    }
    let id = members["id"].flatMap(Self.id)
    guard members["jsonrpc"] == "2.0" else {
      throw AgentError(.invalidRequest, "The member jsonrpc must be \"2.0\".", id: id)
    }
    guard let method = members["method"] else {
      guard members["result"] != nil || members["error"] != nil else {
        throw AgentError(.invalidRequest, "A request has the member method.", id: id)
      }
      self = .answer
      return
    }
    guard case .string(let method) = method else {
      throw AgentError(.invalidRequest, "The member method must be a text.", id: id)
    }
    guard case .object(let parameters) = members["params"] ?? [:] else {
      // A notification gets no answer, not even an error.
      if members["id"] == nil { throw AgentError(.ignored, "") }
      throw AgentError(.invalidParameters, "The member params must be an object.", id: id)
    }
    guard members["id"] != nil else {
      self = .notification(method: method, parameters: parameters)
      return
    }
    guard let id else { throw AgentError(.invalidRequest, "The id must be a text or a whole number.") }
    self = .request(id: id, method: method, parameters: parameters)
  }

  private static func id(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string: return value
    case .number(let number) where number == number.rounded(): return value
    default: return .none
    }
  }
}

/// An error that answers a message.
package struct AgentError: Error, Sendable, Hashable {
  /// The codes of JSON-RPC and of the Model Context Protocol.
  package enum Code: Int, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case internalError = -32603
    /// Of revisions until 2025-11-25.
    case resourceNotFound = -32002
    case unsupportedVersion = -32022
    /// Footbridge's own code: too many requests are open.
    case busy = -32000
    /// No answer is sent.
    case ignored = 0
  }

  /// The code.
  package let code: Code
  /// What is wrong and how to correct it, in sentences.
  package let message: String
  /// Details for programs.
  package let data: JSONValue?
  /// The id of the message; nil if it could not be read.
  package let id: JSONValue?

  /// Creates an error.
  package init(_ code: Code, _ message: String, data: JSONValue? = nil, id: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
    self.id = id
  }

  /// The answer to the request with this id.
  package func answer(to id: JSONValue?) -> JSONValue {
    var error: [String: JSONValue] = ["code": .number(Double(code.rawValue)), "message": .string(message)]
    error["data"] = data
    return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
  }
}
