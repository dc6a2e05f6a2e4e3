import BridgeRuntime
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct PhoneAPITests {
  private func isMissing(_ path: String, on phone: String) throws -> Bool {
    let api = try #require(PhoneScript.apis.first { $0.path == path })
    return api.isMissing(on: try Phone(phone))
  }

  @Test func `every row of the table has an API, versions and a source, and each API comes once`() throws {
    let bytes = try #require(EmbeddedFile.all["phone/apis.tsv"]?.bytes)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.first == "api\tios\tandroid\tsource")
    #expect(lines.dropFirst().allSatisfy { PhoneAPI($0) != nil })
    #expect(PhoneScript.apis.count == lines.count - 1)
    #expect(PhoneScript.apis.count >= 700)
    #expect(Set(PhoneScript.apis.map(\.path)).count == PhoneScript.apis.count)
    for api in PhoneScript.apis {
      #expect(api.path.wholeMatch(of: #/\w+(\.\w+){0,2}/#) != nil, "\(api.path)")
      #expect(api.source.wholeMatch(of: #/api\.\w+(\.\w+)?|https://\S+/#) != nil, "\(api.path): \(api.source)")
      #expect(api.ios != .always || !api.isOnAndroid, "every phone has \(api.path)")
    }
  }

  @Test(arguments: [
    "requestIdleCallback", "Notification", "Navigator.prototype.serviceWorker", "Navigator.prototype.vibrate",
    "showOpenFilePicker", "Navigator.prototype.userAgentData", "chrome", "BarcodeDetector", "Bluetooth",
    "onbeforeinstallprompt", "PushManager", "SyncManager", "Element.prototype.requestFullscreen", "MediaSource",
  ])
  func `no web view of iOS has it`(path: String) throws {
    for phone in ["ios-17", "ios-18.4", "ios-26.6"] { #expect(try isMissing(path, on: phone)) }
  }

  @Test func `an API is missing until the version that has it`() throws {
    #expect(try isMissing("Document.prototype.startViewTransition", on: "ios-17.6"))
    #expect(try !isMissing("Document.prototype.startViewTransition", on: "ios-18"))
    #expect(try isMissing("navigation", on: "ios-26.1"))
    #expect(try !isMissing("navigation", on: "ios-26.2"))
    #expect(try !isMissing("navigation", on: "android"))
    #expect(try isMissing("Notification", on: "android"))
    #expect(try !isMissing("Navigator.prototype.serviceWorker", on: "android"))
    let api = try #require(PhoneScript.apis.first { $0.path == "navigation" })
    #expect(try api.firstVersion(on: Phone("ios-18")) == "26.2" && api.firstVersion(on: Phone("android")) == "")
  }

  @Test(arguments: [
    "", "api\tios\tandroid\tsource", "a\t18\tyes", "a\t18\tno\tapi.a", "a\teighteen\tyes\tapi.a", "# comment",
  ])
  func `what is no row is left out`(line: String) {
    #expect(PhoneAPI(line[...]) == nil)
  }
}
