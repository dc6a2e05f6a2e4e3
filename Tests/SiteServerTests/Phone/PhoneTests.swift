import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct PhoneTests {
  @Test(arguments: ["ios-17", "ios-18", "ios-18.4", "ios-26", "android"])
  func `a phone has a name`(name: String) throws {
    #expect(try Phone(name).name == name)
  }

  @Test(arguments: [
    "ios", "ios-16", "ios-19", "ios-26.", "ios-26.1.1", "ios--26", "ios-26.x", "IOS-26", "android-15", "iphone", "",
  ])
  func `an unknown phone is refused with the names of those that are known`(name: String) {
    #expect(throws: SiteError.phoneUnknown(name)) { try Phone(name) }
    #expect(SiteError.phoneUnknown(name).description.contains("ios-26"))
  }

  @Test func `flag, variable and key of the file name the phone`() throws {
    let file = try OptionFile(path: "footbridge.yaml", text: "like: ios-17\nlikeReportOnly: true")
    let set = try OptionSources(flags: [:], environment: [:], file: file).options()
    #expect(set.like?.name == "ios-17" && set.onlyReports)
    let variable = try OptionSources(flags: [:], environment: ["FOOTBRIDGE_LIKE": "android"], file: file).options()
    #expect(variable.like?.name == "android")
    let flag = try OptionSources(flags: [.like: "ios-26"], environment: ["FOOTBRIDGE_LIKE": "android"]).options()
    #expect(flag.like?.name == "ios-26" && !flag.onlyReports)
    #expect(try OptionSources(flags: [:], environment: [:]).options().like == nil)
  }

  @Test func `reports without a phone are refused`() {
    #expect {
      try OptionSources(flags: [.likeReportOnly: "true"], environment: [:]).options()
    } throws: {
      "\($0)" == "--like-report-only needs a phone. Set it with --like."
    }
  }

  @Test func `the user agent is that of the web view, unless the browser plays a phone`() throws {
    let desktop =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
    #expect(try Phone("ios-18.4").userAgent(insteadOf: desktop).contains("iPhone OS 18_4 like Mac OS X"))
    #expect(try Phone("ios-26.2").userAgent(insteadOf: desktop).contains("iPhone OS 18_7 like Mac OS X"))
    #expect(try Phone("android").userAgent(insteadOf: desktop).contains("; wv) "))
    #expect(try Phone("android").userAgent(insteadOf: desktop).contains("Chrome/156.0.0.0 Mobile"))
    let played =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Shop"
    #expect(try Phone("ios-26").userAgent(insteadOf: played) == played)
  }
}
