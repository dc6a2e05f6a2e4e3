import Testing

@testable import BridgeRuntime

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00.5Z", 1_769_860_800_500),
    ("2026-01-31t12:00:00.123999z", 1_769_860_800_123),
    ("2026-01-31T13:30:00+01:30", 1_769_860_800_000), ("2026-01-30T23:00:00-13:00", 1_769_860_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `an RFC 3339 time is read with its offset and milliseconds`(text: String, milliseconds: Double) {
    #expect(BridgeInstant(rfc3339: text)?.millisecondsSinceEpoch == milliseconds)
  }

  @Test(arguments: [
    "", "yesterday", "2026-01-31", "2026-01-31T12:00Z", "2026-02-30T12:00:00Z", "2026-01-31T24:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-01-31T12:00:00", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00.Z", "1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59-00:01", "٢٠٢٦-01-31T12:00:00Z", "2026-01-31T12:00:00Z ",
  ])
  func `any other text is not a time`(text: String) {
    #expect(BridgeInstant(rfc3339: text) == nil)
  }

  @Test func `an instant is written in UTC with milliseconds`() {
    #expect(BridgeInstant(millisecondsSinceEpoch: 1_769_860_800_123).rfc3339 == "2026-01-31T12:00:00.123Z")
    #expect(BridgeInstant(millisecondsSinceEpoch: 0).rfc3339 == "1970-01-01T00:00:00.000Z")
  }
}
