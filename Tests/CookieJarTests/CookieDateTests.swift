import CookieJar
import Foundation
import Testing

/// The dates go through a Set-Cookie header: what is no date leaves no expiry.
@Suite struct CookieDateTests {
  private func seconds(_ date: String) throws -> Int? {
    try SetCookie(parsing: "a=b; Expires=\(date)").expires.map { Int($0.timeIntervalSince1970) }
  }

  @Test(arguments: [
    "Wed, 09 Jun 2021 10:18:14 GMT", "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021",
    "Wed Jun 09 2021 10:18:14 GMT", "09 Jun 2021 10:18:14", "2021 Jun 9 10:18:14", "10:18:14 9 June 2021",
    "9-jUN-2021-10:18:14", "9,Jun,2021,10:18:14", "Wed, 09 Jun 2021 10:18:14 PST", "Wed, 09 Jun 2021 10:18:14 +0500",
    "9th Jun 2021th 10:18:14th", "09 Juneau 2021 10:18:14.789", "\"09 Jun 2021 10:18:14\"", "09\tJun\t2021\t10:18:14",
    "Foo, 09 Jun 2021 10:18:14 30 Jul 1999 11:11:11", "9 Jun 21 10:18:14", "(09)[Jun]{2021}@10:18:14",
    "10:18:14 09 2021 Jun", "10:18:14, 2021, June, 9", "Jun/9/2021/10:18:14", "2021.Jun.09 10:18:14",
  ])
  func `every allowed form of a date is read as the same time`(_ date: String) throws {
    #expect(try seconds(date) == 1_623_233_894)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 01 Jan 1970 1:2:3 GMT", 3723), ("31 Dec 1969 23:59:59", -1),
    ("29 Feb 2000 12:00:00", 951_825_600), ("29 Feb 2020 00:00:00", 1_582_934_400), ("1 Mar 2000 0:0:0", 951_868_800),
    ("01 Jan 70 00:00:00", 0), ("01 Jan 69 00:00:00", 3_124_224_000), ("01 Jan 99 00:00:00", 915_148_800),
    ("01 Jan 00 00:00:00", 946_684_800), ("31 Dec 2037 23:59:59", 2_145_916_799),
    ("01 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
    ("Fri, 07 Aug 2009 08:04:19 GMT", 1_249_632_259),
  ])
  func `leap years and two-digit years are read as RFC 6265 says`(_ date: String, _ expected: Int) throws {
    #expect(try seconds(date) == expected)
  }

  @Test(arguments: [
    "", "never", "Wed, 09 Jun 2021", "Jun 2021 10:18:14", "09 2021 10:18:14", "09 Jun 10:18:14", "09 Jun 2021 10:18",
    "09 Jun 2021 24:00:00", "09 Jun 2021 10:60:00", "09 Jun 2021 10:18:60", "00 Jun 2021 10:18:14",
    "31 Jun 2021 10:18:14", "32 Jan 2021 10:18:14", "29 Feb 2021 10:18:14", "29 Feb 1900 10:18:14",
    "30 Feb 2020 10:18:14", "09 Jun 1600 10:18:14", "09 Jun 20211 10:18:14", "009 Jun 2021 10:18:14",
    "09 Jun 2021 010:18:14", "09 Jun 2021 10:018:14", "09 Jun 2021 10:18:014", "09 Ju 2021 10:18:14",
    "2021-06-09T10:18:14Z", "09 06 2021 10:18:14", "1623233894", "09 Jun 789 10:18:14", "-:-:- 9 Jun 2021",
  ])
  func `an invalid date is ignored`(_ date: String) throws {
    #expect(try seconds(date) == nil)
  }
}
