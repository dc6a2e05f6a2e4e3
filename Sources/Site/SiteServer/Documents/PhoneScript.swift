import BridgeCore

/// The script that plays the web view of a phone (`web/phone/`): it hides what the phone lacks, and tells the linter what the page does that
/// would fail or differ there.
struct PhoneScript {
  private let phone: Phone
  private let hides: Bool

  /// Nil without a phone.
  init?(_ options: PhoneOptions) {
    guard let phone = options.like else { return nil }
    self.phone = phone
    hides = !options.onlyReports
  }

  /// The APIs that the web views of some phones lack.
  static let apis = PhoneAPI.table(EmbeddedFile.all["phone/apis.tsv"]?.bytes ?? [])

  /// The script of documents, which comes with the shim.
  var page: [UInt8] { script("phone/page.js") }

  /// What the script of a worker begins with, in one line, so that all other lines keep their numbers; nil if nothing is hidden.
  var worker: [UInt8]? {
    hides ? ShimScript.inOneLine(script("phone/worker.js")) : nil
  }

  private var configuration: JSONValue {
    let missing = Self.apis.filter { $0.isMissing(on: phone) }
    let lacks = missing.map { ($0.path, JSONValue.string($0.firstVersion(on: phone))) }
    return [
      "name": .string(phone.name), "isIOS": .bool(phone.isIOS), "hides": .bool(hides),
      "platform": .string(phone.platform), "vendor": .string(phone.vendor),
      "userAgent": .string(phone.userAgent(insteadOf: "")),
      "lacks": .object(Dictionary(lacks, uniquingKeysWith: { first, _ in first })),
    ]
  }

  private func script(_ root: String) -> [UInt8] {
    let body = ShimScript.compact(ModuleOrder(of: [root]).source)
    let start = Array("((phone) => {\n\"use strict\";\n".utf8)
    return start + body + Array("})(\(configuration.jsonText));\n".utf8)
  }
}
