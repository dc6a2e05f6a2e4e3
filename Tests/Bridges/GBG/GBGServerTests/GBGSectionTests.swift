import BridgeCore
import Foundation
import Testing

@testable import Footbridge
@testable import GBGServer
@testable import Sessions

@Suite struct GBGSectionTests {
  private func configuration(_ text: String, path: String = "f.yaml") throws -> GBGConfiguration {
    let file = try OptionFile(path: path, text: text)
    return try OptionSources(flags: [:], environment: [:], file: file).options().gbg
  }

  @Test func `without a gbg section both slots and the default delivery are used`() throws {
    let configuration = try configuration("")
    #expect(configuration.isEnabled)
    #expect(configuration.hostVersion == nil)
    #expect(configuration.delivery == GBGDelivery())
    #expect(configuration.declarations == GBGDeclarations())
    #expect(configuration.standIns.isEmpty)
  }

  @Test func `a capability is declared by a word or by its members`() throws {
    let capabilities = try configuration(
      "gbg: { capabilities: { a: true, b: false, c: { version: 2.10, permissionState: denied, constraints: { n: 4096 } } } }"
    ).declarations.capabilities
    #expect(capabilities["a"]?.info == BridgeCapabilityInfo(supported: true, version: "1.0"))
    #expect(capabilities["b"]?.info == BridgeCapabilityInfo(supported: false))
    #expect(
      capabilities["c"]?.info
        == BridgeCapabilityInfo(supported: true, version: "2.10", constraints: ["n": 4096], permissionState: "denied"))
  }

  @Test func `data retains the types of plain and quoted values`() throws {
    let text = """
      gbg:
        answers:
          a: { data: { t: true, "n": null, i: 1920, f: 0.5, s: text, q: "1920", b: "true", l: [1, [x]], o: { k: ~ } }, delay: 250 }
      """
    let answer = try #require(try configuration(text).declarations.answers["a"])
    #expect(
      answer.data == [
        "t": true, "n": nil, "i": 1920, "f": 0.5, "s": "text", "q": "1920", "b": "true", "l": [1, ["x"]],
        "o": ["k": nil],
      ])
    #expect(answer.status == .success)
    #expect(answer.delay == .milliseconds(250))
  }

  @Test func `an answer with an error has the status error, and only needs a code`() throws {
    let answers = try configuration(
      "gbg: { answers: { a: { error: BUSY }, b: { error: { code: X, recoverable: true } } } }"
    )
    .declarations.answers
    #expect(answers["a"]?.status == .error)
    #expect(answers["a"]?.error == BridgeErrorPayload(code: "BUSY", message: "BUSY", recoverable: true))
    #expect(answers["b"]?.error == BridgeErrorPayload(code: "X", message: "X", recoverable: true))
  }

  @Test func `a named way of delivery replaces the default ones`() throws {
    #expect(
      try configuration("gbg: { delivery: { function: a.b } }").delivery == GBGDelivery(function: "a.b", event: nil))
    #expect(
      try configuration("gbg: { delivery: { event: e, as: string } }").delivery
        == GBGDelivery(function: nil, event: "e", asText: true))
    #expect(try configuration("gbg: { delivery: { as: string } }").delivery == GBGDelivery(asText: true))
  }

  @Test func `a capture is configured to cancel, to fail or to give a file beside the YAML file`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try CaptureImage.sampleDocument.data.write(to: folder.appendingPathComponent("card.png"))
    let path = folder.appendingPathComponent("footbridge.yaml").path
    let standIns = try configuration("gbg: { capture: { document: card.png, selfie: cancel } }", path: path).standIns
    #expect(standIns[.document] == CaptureKind.document.result(.sampleDocument))
    #expect(standIns[.selfie] == .cancelled(reason: "User dismissed"))
    let failing = try configuration("gbg: { capture: { document: fail, selfie: { cancel: later } } }").standIns
    #expect(failing[.selfie] == .cancelled(reason: "later"))
    #expect(try configuration("gbg: { capture: { document: sample } }").standIns.isEmpty)
    guard case .failed = failing[.document] else {
      Issue.record("not set to fail")
      return
    }
  }
}
