import BridgeRuntime
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct EntryTests {
  private let clock = ManualBridgeClock()

  @BridgeActor private var codes: OneTimeCodes<Secret> { OneTimeCodes(clock: clock, random: BridgeRandom()) }

  @BridgeActor @Test func `a one-time code is redeemed once, for its own session`() {
    let codes = codes
    let one = codes.issue(for: Secret("one"), lifetime: .seconds(600))
    let two = codes.issue(for: Secret("two"), lifetime: .seconds(600))
    #expect(one.code != two.code)
    #expect(codes.redeem(two.code) == Secret("two"))
    #expect(codes.redeem(two.code) == nil)
    #expect(codes.redeem(one.code) == Secret("one"))
    #expect(codes.redeem("unknown") == nil)
  }

  @BridgeActor @Test func `a one-time code expires after its lifetime`() {
    let codes = codes
    let early = codes.issue(for: Secret("one"), lifetime: .seconds(5))
    let late = codes.issue(for: Secret("one"), lifetime: .seconds(5))
    #expect(early.expiry == clock.now.advanced(by: .seconds(5)))
    clock.advance(by: .milliseconds(4999))
    #expect(codes.redeem(early.code) != nil)
    clock.advance(by: .milliseconds(1))
    #expect(codes.redeem(late.code) == nil)
  }

  @BridgeActor @Test func `the oldest one-time code is dropped above the limit`() {
    let codes = codes
    let issued = (0...OneTimeCodes<Secret>.limit).map { _ in
      codes.issue(for: Secret("one"), lifetime: .seconds(600)).code
    }
    #expect(codes.redeem(issued[0]) == nil)
    #expect(codes.redeem(issued[1]) != nil)
    #expect(codes.redeem(issued[OneTimeCodes<Secret>.limit]) != nil)
  }

  @BridgeActor @Test func `used and expired one-time codes do not count towards the limit`() {
    let codes = codes
    for _ in 0..<OneTimeCodes<Secret>.limit {
      _ = codes.redeem(codes.issue(for: Secret("used"), lifetime: .seconds(600)).code)
    }
    for _ in 1..<OneTimeCodes<Secret>.limit { _ = codes.issue(for: Secret("brief"), lifetime: .seconds(1)) }
    let lasting = codes.issue(for: Secret("lasting"), lifetime: .seconds(600))
    clock.advance(by: .seconds(2))
    for _ in 1..<OneTimeCodes<Secret>.limit { _ = codes.issue(for: Secret("new"), lifetime: .seconds(600)) }
    #expect(codes.redeem(lasting.code) == Secret("lasting"))
  }

  @Test(arguments: ["/", "/cart?from=//mail#end", "/a//b", "/%2F%2Fevil.example", "/.//evil.example"])
  func `a path of the site is an entry target`(text: String) {
    #expect(EntryTarget(text)?.location == text)
  }

  @Test(arguments: [
    "", "a", "//evil.example", "/\\evil.example", "\\/evil.example", "/a\\b", "/\t/evil.example", "/\r\n/evil.example",
    "/ x",
    "/\u{7F}", "/\0", "https://evil.example/", "javascript:alert(1)",
  ])
  func `a target that a browser could take for another site is refused`(text: String) {
    #expect(EntryTarget(text) == nil)
  }

  @Test func `a target's length is limited, and its non-ASCII characters are escaped`() {
    #expect(EntryTarget("/" + String(repeating: "x", count: EntryTarget.lengthLimit - 1)) != nil)
    #expect(EntryTarget("/" + String(repeating: "x", count: EntryTarget.lengthLimit)) == nil)
    #expect(EntryTarget("/ä?ö")?.location == "/%C3%A4?%C3%B6")
  }

  @Test func `a target from a query item is percent-decoded once`() {
    #expect(EntryTarget(queryItem: nil) == .root)
    #expect(EntryTarget(queryItem: "/a%3Fb%23c")?.location == "/a?b#c")
    #expect(EntryTarget(queryItem: "%2F%2Fevil.example") == nil)
    #expect(EntryTarget(queryItem: "/%252Fevil.example")?.location == "/%2Fevil.example")
    #expect(EntryTarget(queryItem: "/%zz") == nil)
  }
}
