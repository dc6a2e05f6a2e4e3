import BridgeCore
import Testing

@testable import Sessions

@Suite struct PhoneLintTests {
  private func finding(_ members: [String: JSONValue]) -> LintFinding? {
    LintObservation(members).flatMap { PhoneLint.finding($0, page: "page-1") }
  }

  @Test func `a failure for the lack of an API is an error, with version and line`() {
    let found = finding([
      "seen": "phoneLacks", "phone": "ios-18", "api": "navigation", "since": "26.2", "hidden": "yes",
      "at": "/app.js:3:7",
    ])
    #expect(found?.rule == "L26" && found?.severity == .error && found?.page == "page-1")
    #expect(
      found?.about == "ios-18 lacks navigation, which comes with iOS 26.2. The page has failed (/app.js:3:7).")
  }

  @Test func `a use of an API that is not hidden is a warning`() {
    let found = finding(["seen": "phoneLacks", "phone": "android", "api": "Notification", "since": "", "hidden": "no"])
    #expect(found?.severity == .warning && found?.about == "android lacks Notification. The page uses it.")
  }

  @Test func `what differs is told in words`() {
    let found = finding(["seen": "phoneDiffers", "phone": "ios-26", "what": "cookieAge", "at": "/a.js:1:1"])
    let unplaced = finding(["seen": "phoneDiffers", "phone": "ios-26", "what": "zoom", "at": ""])
    #expect(unplaced?.about.hasSuffix("gets the focus.") == true)
    #expect(found?.severity == .warning)
    #expect(found?.about == "ios-26 deletes a cookie that a script writes after 7 days (/a.js:1:1).")
  }

  @Test(
    arguments: [
      ["seen": "phoneLacks", "phone": "ios-26"], ["seen": "phoneLacks", "api": "navigation"],
      ["seen": "phoneDiffers", "phone": "ios-26", "what": "color"],
      ["seen": "handler", "phone": "ios-26", "name": "a"],
    ] as [[String: JSONValue]])
  func `other observations are no finding about phones`(members: [String: JSONValue]) {
    #expect(finding(members) == nil)
  }
}
