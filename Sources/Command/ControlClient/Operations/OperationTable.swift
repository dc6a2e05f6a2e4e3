package import BridgeCore

/// All operations of the control API, as listed in the OpenAPI document.
package struct OperationTable: Sendable {
  /// The operations, by the order of their groups in the document, then by path and method.
  package let all: [ControlOperation]
  /// The path of the API on a server.
  package let base: String
  /// The version of the document.
  package let version: String

  private let root: JSONValue
  private let byID: [String: ControlOperation]

  /// The reason why a document cannot be used.
  package struct Defect: Error {
    /// What is wrong.
    package let description: String
  }

  /// Reads the document.
  ///
  /// - Throws: ``Defect`` if it is not an OpenAPI document of the form that the control API has.
  package init(describedBy document: [UInt8]) throws(Defect) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: document)
    } catch {
      throw Defect(description: "The document is not valid JSON: \(error).")
    }
    guard let base = root["servers"]?.arrayValue?.first?["url"]?.stringValue else {
      throw Defect(description: "The document names no server.")
    }
    self.base = base
    self.root = root
    version = root["info"]?["version"]?.stringValue ?? ""
    let tags = root["tags"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    var operations: [ControlOperation] = []
    for (path, methods) in root["paths"]?.objectValue ?? [:] {
      for (method, value) in methods.objectValue ?? [:] {
        guard let operation = OperationReader(root).operation(method.uppercased(), path, value) else {
          throw Defect(description: "\(method.uppercased()) \(path) has no operationId.")
        }
        operations.append(operation)
      }
    }
    func key(_ operation: ControlOperation) -> (Int, String, String) {
      (tags.firstIndex(of: operation.tag) ?? tags.count, operation.path, operation.method)
    }
    all = operations.sorted { key($0) < key($1) }
    byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The operation of this name.
  package subscript(_ id: String) -> ControlOperation? { byID[id] }

  /// Returns a schema that resolves its references in this document.
  package func schema(_ value: JSONValue) -> Schema { Schema(value, in: root) }

  /// Returns the operation that lists the possible values of a path variable, or the sessions. For `sheet` of `/sessions/{session}/sheets/{sheet}/answer`, that is
  /// `/sessions/{session}/sheets`. Nil if there is none.
  package func listing(of variable: String, in operation: ControlOperation) -> ControlOperation? {
    guard let end = operation.path.range(of: "/{\(variable)}") else {
      return variable == ControlOperation.session ? self["listSessions"] : nil
    }
    let path = operation.path[..<end.lowerBound]
    return all.first { $0.method == "GET" && $0.path == path && $0.kind == .answer }
  }
}

/// Reads operations of an OpenAPI document.
struct OperationReader {
  private let root: JSONValue

  init(_ root: JSONValue) { self.root = root }

  func operation(_ method: String, _ path: String, _ value: JSONValue) -> ControlOperation? {
    guard let id = value["operationId"]?.stringValue else { return nil }
    let body = value["requestBody"].map(Schema.resolve(in: root))
    let responses = (value["responses"]?.objectValue ?? [:]).mapValues(Schema.resolve(in: root))
    let successes = responses.filter { $0.key.first == "2" }
    let isStream = successes.values.contains { $0["content"]?["text/event-stream"] != nil }
    return ControlOperation(
      id: id, method: method, path: path, tag: value["tags"]?.arrayValue?.first?.stringValue ?? "",
      summary: value["summary"]?.stringValue ?? id, details: value["description"]?.stringValue ?? "",
      parameters: (value["parameters"]?.arrayValue ?? []).compactMap { parameter(Schema.resolve(in: root)($0)) },
      body: body?["content"]?["application/json"]?["schema"].map { Schema($0, in: root) },
      example: body?["content"]?["application/json"]?["example"], needsBody: body?["required"]?.boolValue ?? false,
      results: Dictionary(
        uniqueKeysWithValues: successes.compactMap { status, answer in
          Int(status).map { ($0, answer["content"]?["application/json"]?["schema"].map { Schema($0, in: root) }) }
        }),
      kind: responses["101"] != nil ? .webSocket : isStream ? .events : .answer,
      // Storing a changed session can fail; the operation then answers with that error.
      isReading: method == "GET" || (method == "POST" && responses["507"] == nil))
  }

  private func parameter(_ value: JSONValue) -> ControlOperation.Parameter? {
    guard let name = value["name"]?.stringValue,
      let place = value["in"]?.stringValue.flatMap(ControlOperation.Parameter.Place.init(rawValue:))
    else { return nil }
    return ControlOperation.Parameter(
      name: name, place: place, description: value["description"]?.stringValue ?? "",
      isRequired: value["required"]?.boolValue ?? false, schema: Schema(value["schema"] ?? [:], in: root))
  }
}
