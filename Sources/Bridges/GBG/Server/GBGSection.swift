import BridgeCore
import BridgeServer
import Essentials
import Sessions

/// Reads the `gbg` section of the YAML file: a GBGBridge host without Swift code.
struct GBGSection {
  /// The configuration that the section sets.
  private(set) var configuration = GBGConfiguration()

  /// Reads the section.
  init(_ node: InputNode) throws(OptionError) {
    let section = try node.section([
      "enabled", "hostVersion", "capabilities", "answers", "pending", "capture", "captureDelay", "delivery",
    ])
    configuration.isEnabled = try section["enabled"]?.bool() ?? true
    if let version = section["hostVersion"] { configuration.hostVersion = try version.text() }
    for (id, capability) in try section["capabilities"]?.members() ?? [] { try readCapability(id, capability) }
    for (action, answer) in try section["answers"]?.members() ?? [] {
      let answer = try BridgeAnswerNode(answer)
      configuration.declarations.answers[action] = GBGDeclarations.Answer(
        status: answer.status, data: answer.data, error: answer.error, delay: answer.delay)
    }
    for action in try section["pending"]?.elements() ?? [] {
      configuration.declarations.pending.insert(try action.text())
    }
    if let capture = section["capture"] { try readCapture(capture) }
    if let delay = section["captureDelay"] { configuration.captureDelay = try delay.roundTrip() }
    if let delivery = section["delivery"] { configuration.delivery = try Self.delivery(delivery) }
  }

  private mutating func readCapability(_ id: String, _ node: InputNode) throws(OptionError) {
    guard node.isMapping else {
      let isSupported = try node.bool()
      let info = BridgeCapabilityInfo(supported: isSupported, version: isSupported ? "1.0" : nil)
      configuration.declarations.capabilities[id] = GBGDeclarations.Capability(info: info)
      return
    }
    let members = try node.section(["supported", "version", "constraints", "permissionState"])
    let isSupported = try members["supported"]?.bool() ?? true
    let version = try members["version"]?.text()
    if let state = members["permissionState"], CaptureKind.allCases.contains(where: { "camera.\($0.rawValue)" == id }) {
      guard isSupported else { throw state.expected("left out: a slot that is not supported has no permission") }
      _ = try state.choice(PermissionState.self)
    }
    let info = BridgeCapabilityInfo(
      supported: isSupported,
      version: version ?? (isSupported ? "1.0" : nil),
      constraints: try members["constraints"]?.jsonMembers(),
      permissionState: try members["permissionState"]?.text()
    )
    configuration.declarations.capabilities[id] = GBGDeclarations.Capability(info: info)
  }

  private mutating func readCapture(_ node: InputNode) throws(OptionError) {
    for (name, value) in try node.members(known: CaptureKind.allCases.map(\.rawValue)) {
      guard let kind = CaptureKind(rawValue: name) else { continue }
      configuration.standIns[kind] = try Self.standIn(value, kind)
    }
  }

  private static func standIn(_ node: InputNode, _ kind: CaptureKind) throws(OptionError) -> CaptureResult? {
    guard node.isMapping else {
      switch try node.text() {
      case "sample": return nil
      case "cancel": return .cancelled(reason: "User dismissed")
      case "fail":
        return .failed(code: "CAPTURE_FAILED", message: "The capture was set to fail.", recoverable: true)
      default: return try image(node, kind)
      }
    }
    let members = try node.section(["file", "cancel", "error"])
    guard members.count == 1 else { throw node.expected("one of: file, cancel, error") }
    if let file = members["file"] { return try image(file, kind) }
    if let reason = members["cancel"] { return .cancelled(reason: try reason.text()) }
    guard let error = try members["error"].map({ node throws(OptionError) in try BridgeAnswerNode.error(node) }) else {
      return nil
    }
    return .failed(code: error.code, message: error.message, recoverable: error.recoverable)
  }

  private static func image(_ node: InputNode, _ kind: CaptureKind) throws(OptionError) -> CaptureResult {
    do {
      return kind.result(try CaptureImage(try node.fileContent(limit: CaptureImage.dataLimit)))
    } catch let error as CaptureImageError {
      throw OptionError("\(node.place): \(error)")
    } catch let error as OptionError {
      throw error
    } catch {
      throw node.expected("sample, cancel, fail, or the path of an image")
    }
  }

  private static func delivery(_ node: InputNode) throws(OptionError) -> GBGDelivery {
    let members = try node.section(["function", "event", "bootstrap", "as"])
    var delivery = GBGDelivery()
    if members["function"] != nil || members["event"] != nil {
      delivery.function = try members["function"]?.text()
      delivery.event = try members["event"]?.text()
    }
    if let function = delivery.function,
      function.wholeMatch(of: /[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*/) == nil
    {
      throw (members["function"] ?? node).expected("the path of a function from window, such as GBGBridge.receive")
    }
    if delivery.event == "" { throw (members["event"] ?? node).expected("the name of an event") }
    if let form = members["as"] {
      switch try form.text() {
      case "object": break
      case "string": delivery.asText = true
      default: throw form.expected(oneOf: ["object", "string"])
      }
    }
    if let bootstrap = members["bootstrap"] {
      guard let script = String(validating: try bootstrap.fileContent(limit: 1 << 20), as: UTF8.self) else {
        throw bootstrap.expected("the path of a script in UTF-8")
      }
      delivery.bootstrapScript = script
    }
    return delivery
  }
}

/// Reads the result of an approved capture. It is `imageBase64`, with `imageWidth`, `imageHeight` and `mimeType` if the image does not
/// contain them. Or it is `error`. Without members, it is the sample.
struct CaptureAnswerNode {
  /// The fields of the sheet's answer. They are checked.
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
