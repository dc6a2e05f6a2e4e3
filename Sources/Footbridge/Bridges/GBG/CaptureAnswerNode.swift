import BridgeCore

/// Reads the result of an approved capture: `imageBase64`, with `imageWidth`, `imageHeight` and `mimeType` if the image does not contain
/// them; or `error`; or nothing for the sample.
struct CaptureAnswerNode {
  /// The fields of the sheet's answer, which are valid.
  let fields: [String: JSONValue]

  /// Reads the fields. Throws for an invalid image or error.
  init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["imageBase64", "imageWidth", "imageHeight", "mimeType", "error"])
    if let error = members["error"] {
      guard members.count == 1 else { throw node.expected("an image or an error, and not both") }
      let error = try BridgeAnswerNode.error(error)
      fields = [
        "error": [
          "code": .string(error.code), "message": .string(error.message), "recoverable": .bool(error.recoverable),
        ]
      ]
      return
    }
    fields = try node.jsonMembers()
    if fields.isEmpty { return }
    do {
      _ = try CaptureImage(fields: fields)
    } catch {
      throw OptionError("\(node.place): \(error)")
    }
  }
}
