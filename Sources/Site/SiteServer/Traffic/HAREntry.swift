import BridgeCore
import BridgeRuntime
import ContentDecoding
import Essentials
import HTTP1
import HTTPTypes
import Sessions

/// An entry of a HAR 1.2 file: one request and its response. It leaves out all cookies. It also leaves out values in fields, addresses,
/// forms and JSON whose names are those of secrets.
struct HAREntry {
  /// The text that replaces a secret in a field.
  private static let mark = "left out"

  /// The entry as JSON.
  let bytes: [UInt8]

  /// Writes the entry of an exchange.
  init(_ seen: SeenExchange) {
    var entry: [String: JSONValue] = [
      "startedDateTime": .string(seen.start.rfc3339),
      "time": .number(Self.rounded(seen.duration)),
      "request": Self.request(seen),
      "response": Self.response(seen),
      "cache": [:],
      "timings": [
        "send": 0, "wait": .number(Self.rounded(seen.waitTime)),
        "receive": .number(Self.rounded(max(0, seen.duration - seen.waitTime))),
      ],
    ]
    if !seen.isComplete { entry["comment"] = "The response was cut." }
    var writer = JSONWriter()
    writer.write(entry)
    bytes = writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }

  private static func request(_ seen: SeenExchange) -> JSONValue {
    let address = PublicText.address(seen.address)
    let query = address.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    var request: [String: JSONValue] = [
      "method": .string(seen.head.method.rawValue),
      "url": .string(address),
      "httpVersion": .string(seen.protocolName),
      "cookies": [],
      "headers": headers(seen.head.fields),
      "queryString": .array(
        query.split(separator: "&").map { item in
          let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { decoded($0) }
          return ["name": .string(parts[0]), "value": .string(parts.count == 2 ? parts[1] : "")]
        }),
      "headersSize": -1,
      "bodySize": .number(Double(seen.requestBody.byteCount)),
    ]
    if seen.requestBody.byteCount > 0 { request["postData"] = postData(seen) }
    return .object(request)
  }

  private static func response(_ seen: SeenExchange) -> JSONValue {
    [
      "status": .number(Double(seen.status?.code ?? 0)),
      "statusText": .string(seen.status?.reasonPhrase ?? ""),
      "httpVersion": .string(seen.protocolName),
      "cookies": [],
      "headers": headers(seen.fields),
      "content": content(seen),
      "redirectURL": .string(seen.fields.value(of: .location).map { PublicText.address($0) } ?? ""),
      "headersSize": -1,
      "bodySize": .number(Double(seen.responseBody.byteCount)),
    ]
  }

  private static func headers(_ fields: HTTPFields) -> JSONValue {
    .array(
      fields.map { field in
        let value = PublicText.isSecret(field.name) ? mark : PublicText.address(field.value)
        return ["name": .string(field.name.rawName), "value": .string(value)]
      })
  }

  private static func postData(_ seen: SeenExchange) -> JSONValue {
    let type = seen.head.fields.value(of: .contentType) ?? ""
    var data: [String: JSONValue] = ["mimeType": .string(type), "params": [], "text": ""]
    if seen.requestBody.isWhole, isText(type),
      let text = String(validating: seen.requestBody.bytes, as: UTF8.self)
    {
      data["text"] = .string(publicText(text, type))
    } else {
      data["comment"] = "The body is left out: it is too long, or not text, or too many bodies came at once."
    }
    return .object(data)
  }

  private static func content(_ seen: SeenExchange) -> JSONValue {
    let type = seen.fields.value(of: .contentType) ?? "x-unknown"
    let body = seen.responseBody
    var content: [String: JSONValue] = ["mimeType": .string(type), "size": .number(Double(body.byteCount))]
    guard body.byteCount > 0 else { return .object(content) }
    guard body.isWhole else {
      content["comment"] = "The body is left out: it is too long, or too many bodies came at once."
      return .object(content)
    }
    if isText(type) {
      // Bytes that are not text may be text in an unknown coding, with secrets in it.
      guard let bytes = decoded(body.bytes, seen.fields), let text = String(validating: bytes, as: UTF8.self) else {
        content["comment"] = "The body is left out: it cannot be decoded."
        return .object(content)
      }
      content["size"] = .number(Double(bytes.count))
      if bytes.count != body.byteCount { content["compression"] = .number(Double(bytes.count - body.byteCount)) }
      content["text"] = .string(publicText(text, type))
    } else {
      content["text"] = .string(Data(body.bytes).base64EncodedString())
      content["encoding"] = "base64"
    }
    return .object(content)
  }

  /// A body without its content codings; nil if that is not possible within the bound for bodies.
  private static func decoded(_ body: [UInt8], _ fields: HTTPFields) -> [UInt8]? {
    let codings = fields.tokens(of: .contentEncoding)
    if codings.allSatisfy({ $0.lowercased() == "identity" }) { return body }
    guard let decoder = ContentDecoder(codings: codings, byteLimit: 4 * Traffic.bodyByteLimit) else { return nil }
    decoder.push(body)
    var decoded: [UInt8] = []
    do throws(ContentDecodingError) {
      while let piece = try decoder.next() { decoded += piece }
    } catch {
      return nil
    }
    return decoded
  }

  private static func isText(_ type: String) -> Bool {
    let type = type.lowercased().prefix { $0 != ";" && $0 != " " }
    return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml") || type.hasSuffix("javascript")
      || type == "application/x-www-form-urlencoded"
  }

  /// The text of a body without secrets.
  private static func publicText(_ text: String, _ type: String) -> String {
    let type = type.lowercased()
    if type.contains("x-www-form-urlencoded") { return PublicText.form(text) }
    if type.contains("json") {
      let json = try? JSONValue(parsing: text)
      guard let json else { return "(left out: it cannot be read as JSON, and may have secrets)" }
      return PublicText.json(json)?.jsonText ?? text
    }
    guard type.contains("html") else { return text }
    return text.replacing(/data-footbridge-ticket="[^"]*"/, with: "data-footbridge-ticket=\"\(PublicText.mark)\"")
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decode(String(text.replacing("+", with: " "))) ?? String(text)
  }
}
