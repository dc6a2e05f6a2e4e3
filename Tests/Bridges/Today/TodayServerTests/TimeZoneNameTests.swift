import Testing

@testable import Sessions
@testable import TodayServer

@Suite struct TimeZoneNameTests {
  @Test(arguments: ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC"])
  func `names of the time zone database are known`(name: String) {
    #expect(TimeZoneName.isKnown(name))
  }

  @Test(arguments: [
    "", "Europe/", "/Europe/Berlin", "../zoneinfo/UTC", "5/UTC", "Europe//Berlin", "a\u{5B}b", "Europe Berlin", "UTC\n",
    "Ümlaut/Stadt",
  ])
  func `a text that cannot be a time zone name is refused`(name: String) {
    #expect(!TimeZoneName.isKnown(name))
  }

  @Test func `the machine's time zone is known`() {
    #expect(TimeZoneName.isKnown(TimeZoneName.current))
  }
}
