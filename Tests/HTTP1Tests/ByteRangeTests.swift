import HTTP1
import Testing

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-499", [.from(0, through: 499)]), ("bytes=500-", [.from(500, through: nil)]),
      ("bytes=-500", [.suffix(500)]),
      ("BYTES=0-0,-1", [.from(0, through: 0), .suffix(1)]),
      ("bytes= 1-2 ,\t3-4,", [.from(1, through: 2), .from(3, through: 4)]),
      ("bytes=-0", [.suffix(0)]), ("bytes=00-007", [.from(0, through: 7)]),
      ("bytes=0-99999999999999999999", [.from(0, through: .max)]),
      ("bytes=99999999999999999999-", [.from(.max, through: nil)]), ("bytes=-99999999999999999999", [.suffix(.max)]),
    ] as [(String, [ByteRange])])
  func `byte ranges are read in their order`(_ value: String, _ ranges: [ByteRange]) {
    #expect(ByteRange.parse(value) == ranges)
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-5,x", "bytes=+1-5", "bytes=1-+5",
    "bytes=1 - 5", "bytes=0-1-2", "bytes=--1", "items=0-5", "bytes =0-5", "0-5", "bytes:0-5", "bytes=0x0-5",
    "bytes=٠-٥",
    "bytes=" + Array(repeating: "0-0", count: 33).joined(separator: ","),
  ])
  func `a malformed Range field, another unit or too many ranges are ignored`(_ value: String) {
    #expect(ByteRange.parse(value) == nil)
  }

  @Test func `a Range field may have 32 ranges`() {
    #expect(ByteRange.parse("bytes=" + Array(repeating: "0-0", count: 32).joined(separator: ","))?.count == 32)
  }

  @Test(
    arguments: [
      (.from(0, through: 4), 10, 0..<5), (.from(0, through: nil), 10, 0..<10), (.from(9, through: 9), 10, 9..<10),
      (.from(9, through: 10), 10, 9..<10), (.from(9, through: .max), 10, 9..<10), (.from(10, through: nil), 10, nil),
      (.from(.max, through: .max), 10, nil), (.from(0, through: 0), 0, nil), (.suffix(3), 10, 7..<10),
      (.suffix(10), 10, 0..<10), (.suffix(.max), 10, 0..<10), (.suffix(0), 10, nil), (.suffix(1), 0, nil),
    ] as [(ByteRange, Int, Range<Int>?)])
  func `a byte range is resolved against a length, or selects nothing`(
    _ range: ByteRange, _ length: Int, _ bytes: Range<Int>?
  ) {
    #expect(range.resolved(in: length) == bytes)
  }
}
