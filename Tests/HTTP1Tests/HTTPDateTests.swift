import HTTP1
import Testing

@Suite struct HTTPDateTests {
  private let now = HTTPDate(secondsSinceEpoch: 1_767_225_600)  // 2026-01-01

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `a date is written as IMF-fixdate and read back`(_ seconds: Int, _ text: String) {
    #expect(HTTPDate(secondsSinceEpoch: seconds).description == text)
    #expect(HTTPDate(text, now: now)?.secondsSinceEpoch == seconds)
  }

  @Test func `every day of 400 years is read back as it was written`() async {
    for day in stride(from: -719_000, to: 146_097 - 719_000, by: 1) {
      // Other tests wait for this thread.
      if day.isMultiple(of: 1000) { await Task.yield() }
      let date = HTTPDate(secondsSinceEpoch: day * 86_400 + 43_210)
      #expect(HTTPDate(date.description, now: now) == date)
    }
  }

  @Test func `a date beyond four-digit years is written as the nearest possible one`() {
    #expect(HTTPDate(secondsSinceEpoch: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(HTTPDate(secondsSinceEpoch: .min).description == "Sat, 01 Jan 0000 00:00:00 GMT")
  }

  @Test(arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func `the two obsolete forms are read`(_ text: String) {
    #expect(HTTPDate(text, now: now)?.secondsSinceEpoch == 784_111_777)
  }

  @Test(arguments: [("76", "2076"), ("77", "1977"), ("26", "2026"), ("00", "2000")])
  func `a year of two digits is at most 50 years ahead`(_ short: String, _ year: String) {
    let date = HTTPDate("Monday, 05-Jan-\(short) 00:00:00 GMT", now: now)
    #expect(date?.description.contains(year) == true)
  }

  @Test func `an asctime date with a two-digit day and a leap second are read`() {
    #expect(HTTPDate("Wed Nov 16 08:49:37 1994", now: now)?.description == "Wed, 16 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: now)?.description == "Sun, 01 Jan 2017 00:00:00 GMT")
  }

  @Test(arguments: [
    "", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT ",
    "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 29 Feb 1900 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "784111777", ",", "Sun,",
    "Sun, +6 Nov 1994 08:49:37 GMT",
  ])
  func `any other text is not a date`(_ text: String) {
    #expect(HTTPDate(text, now: now) == nil)
  }
}
