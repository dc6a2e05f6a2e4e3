package import BridgeCore
import HTTP1
import HTTPTypes

/// A request for one operation: its parameters and its body.
package struct ControlCall: Sendable {
  /// The operation.
  package let operation: ControlOperation
  /// The values of parameters, by their names.
  package var parameters: [String: String]
  /// The body; nil for none.
  package var body: JSONValue?

  /// Creates a request.
  package init(_ operation: ControlOperation, _ parameters: [String: String] = [:], body: JSONValue? = nil) {
    self.operation = operation
    self.parameters = parameters
    self.body = body
  }

  /// Checks the request. Returns the problem, or nil if it can be sent.
  package var problem: ArgumentProblem? {
    for parameter in operation.parameters {
      guard let text = parameters[parameter.name] else {
        if parameter.isRequired { return ArgumentProblem("\(operation.id) needs \(parameter.name).") }
        continue
      }
      let value = parameter.schema.value(of: text, try? JSONValue(parsing: text))
      if let problem = parameter.schema.problems(of: value, at: parameter.name).first {
        return ArgumentProblem(problem.description)
      }
      if parameter.place == .path, text.isEmpty { return ArgumentProblem("\(parameter.name) must not be empty.") }
    }
    guard let schema = operation.body else { return nil }
    guard let body else {
      return operation.needsBody ? ArgumentProblem("\(operation.id) needs a body: \(schema.expectation).") : nil
    }
    let problems = schema.problems(of: body)
    return problems.isEmpty ? nil : ArgumentProblem(problems.map(\.description).joined(separator: " "))
  }

  /// The path with the variables filled in, below the API's base.
  package var path: String {
    operation.path.split(separator: "/").map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return "/" + segment }
      return "/" + URLText.escaped(parameters[String(segment.dropFirst().dropLast())] ?? "")
    }.joined()
  }

  /// The query; nil if there is none.
  var query: String? {
    let items = operation.parameters.filter { $0.place == .query }.compactMap { parameter in
      parameters[parameter.name].map { "\(URLText.escaped(parameter.name))=\(URLText.escaped($0))" }
    }
    return items.isEmpty ? nil : items.joined(separator: "&")
  }

  /// The header fields from parameters.
  var fields: HTTPFields {
    var fields = HTTPFields()
    for parameter in operation.parameters where parameter.place == .header {
      guard let value = parameters[parameter.name], let name = HTTPField.Name(parameter.name) else { continue }
      fields[name] = value
    }
    return fields
  }
}

/// Percent-encoding of texts in URLs (RFC 3986, section 2.3).
enum URLText {
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    // A segment of only dots would mean a folder.
    return escaped == "." || escaped == ".." ? escaped.replacing(".", with: "%2E") : escaped
  }
}
