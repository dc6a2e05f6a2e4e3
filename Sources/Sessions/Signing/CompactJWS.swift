package import BridgeCore
import BridgeRuntime

/// A JWS in compact form (RFC 7515, section 3.1): header, payload and signature in base64, each after a full stop.
package struct CompactJWS {
  /// The header.
  package let header: JSONValue
  /// What was signed: header and payload as they are written.
  package let input: [UInt8]
  /// The signature or authentication code.
  package let signature: [UInt8]
  private let payloadBytes: [UInt8]

  /// Takes a text apart; nil for one that has another form, or a header that is no JSON object.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.decode(parts[0]), let payloadBytes = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), let header = try? JSONValue(parsing: headerBytes),
      header.objectValue != nil
    else { return nil }
    self.header = header
    self.payloadBytes = payloadBytes
    self.signature = signature
    input = Array((parts[0] + "." + parts[1]).utf8)
  }

  /// The payload; nil when it is no JSON. Check the signature first.
  package var payload: JSONValue? { try? JSONValue(parsing: payloadBytes) }

  /// Makes a text, which `sign` signs.
  static func text(_ header: JSONValue, _ payload: JSONValue, sign: ([UInt8]) -> [UInt8]) -> String {
    let input = [header, payload].map { Base64URL.encode(Array($0.jsonText.utf8)) }.joined(separator: ".")
    return input + "." + Base64URL.encode(sign(Array(input.utf8)))
  }
}
