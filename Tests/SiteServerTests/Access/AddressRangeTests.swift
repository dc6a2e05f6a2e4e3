import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct AddressRangeTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true),
    ("192.168.1.4", "192.168.1.4", true), ("192.168.1.4", "192.168.1.5", false),
    ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
    ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.1", true),
    ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.1", "10.0.0.1", true),
    ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::1", "0:0:0:0:0:0:0:1", true),
    ("fe80::/10", "fe80::1%eth0", true), ("10.0.0.0/8", "localhost", false), ("10.0.0.0/8", "", false),
    ("10.0.0.0/8", "10.0.0.1:80", false),
  ])
  func `an address range contains the addresses with its prefix`(range: String, address: String, isIn: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(address) == isIn)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0", "proxy", "10.0.0.0/8/8",
    "[::1]", "010.0.0.1", "*",
  ])
  func `an invalid address range is refused`(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
    ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:4711", "2001:db8::1"), ("unknown", nil), ("_hidden", nil),
    ("[::1", nil), ("", nil), ("evil.example", nil),
  ])
  func `the address of a Forwarded node is read with and without a port`(node: String, address: String?) {
    #expect(AddressRange.address(ofNode: node) == address)
  }
}
