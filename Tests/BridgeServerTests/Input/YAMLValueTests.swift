import BridgeCore
import Essentials
import Sessions
import Testing

@testable import BridgeServer
@testable import DeclaredServer

/// Values of footbridge.yaml are those of YAML 1.2's core schema. docs/configuration.md has a table of those that surprise.
@Suite struct YAMLValueTests {
  /// A value as it is written in the file, what it is, and whether YAML 1.1 reads something else.
  static let table: [(written: String, value: JSONValue, isRemarked: Bool)] = [
    // Texts.
    ("NO", "NO", true), ("no", "no", true), ("yes", "yes", true), ("Yes", "Yes", true), ("YES", "YES", true),
    ("on", "on", true), ("Off", "Off", true), ("OFF", "OFF", true), ("y", "y", true), ("N", "N", true),
    ("12:30:45", "12:30:45", true), ("12:30", "12:30", true), ("1:60", "1:60", false),
    ("190:20:30.15", "190:20:30.15", true),
    ("1_000", "1_000", true), ("0b11", "0b11", true), ("-0x1F", "-0x1F", true), ("1_0.5", "1_0.5", true),
    ("2026-11-27", "2026-11-27", true), ("2026-11-27T12:00:00Z", "2026-11-27T12:00:00Z", true),
    ("1.2.3", "1.2.3", false), ("0o8", "0o8", false), ("+", "+", false), (".", ".", false),
    ("1e", "1e", false), ("tRuE", "tRuE", false), ("nULL", "nULL", false), ("0xG", "0xG", false), ("१२", "१२", false),
    ("DE", "DE", false), ("a b", "a b", false),
    // Numbers.
    ("0", 0, false), ("7", 7, false), ("-7", -7, false), ("+7", 7, false), ("0123", 123, true), ("089", 89, true),
    ("0o17", 15, true), ("0x1F", 31, false), ("0xff", 255, false), ("1.10", 1.1, false), ("1.", 1, false),
    (".5", 0.5, false), ("-.5", -0.5, false), ("1e3", 1000, true), ("1.5E-1", 0.15, false), ("1.5e3", 1500, true),
    // Truth values and null.
    ("true", true, false), ("True", true, false), ("TRUE", true, false), ("false", false, false),
    ("False", false, false), ("FALSE", false, false), ("null", nil, false), ("Null", nil, false),
    ("NULL", nil, false), ("~", nil, false), ("", nil, false),
    // In quotation marks, and with tags.
    ("'yes'", "yes", false), ("\"NO\"", "NO", false), ("'7'", "7", false), ("'true'", "true", false),
    ("\"\"", "", false), ("'~'", "~", false), ("!!str 7", "7", false), ("!!str true", "true", false),
    ("!!int '7'", 7, false), ("!!float 7", 7, false), ("!!bool 'true'", true, false), ("!!null ''", nil, false),
  ]

  private func node(_ yaml: String, _ remarks: InputRemarks? = nil) throws -> InputNode {
    let root = try #require(try InputNode.yaml(yaml, file: "f.yaml", remarks: remarks))
    return try #require(try root.members().first { $0.name == "key" }?.value)
  }

  @Test(arguments: table.indices)
  func `a value is what YAML 1.2 says, and a remark tells where YAML 1.1 differs`(index: Int) throws {
    let (written, value, isRemarked) = Self.table[index]
    let remarks = InputRemarks()
    #expect(try node("key: \(written)", remarks).json() == value)
    #expect(remarks.texts.count == (isRemarked ? 1 : 0), "\(remarks.texts)")
    // In a list and in a mapping, a value is the same.
    #expect(try node("key: [\(written.isEmpty ? "~" : written)]").json() == [value])
    #expect(try node("key: { a: \(written) }").json() == ["a": value])
  }

  /// The rows of the manual's table: a value as it is written, what it is, and what it is in YAML 1.1 if that differs.
  private func rows() throws -> [(written: String, value: String, former: String)] {
    let manual = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/configuration.md")
    let lines = String(decoding: try Data(contentsOf: manual.standardizedFileURL), as: UTF8.self).split(separator: "\n")
    let start = try #require(lines.firstIndex(of: "| written | value | in YAML 1.1 |"))
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map {
        $0.filter { $0 != "`" }.split(separator: " ").joined(separator: " ")
      }
      return (cells[0], cells[1], cells.count > 2 ? cells[2] : "")
    }
  }

  @Test func `the table of the manual is right`() throws {
    let rows = try rows()
    #expect(rows.count > 10)
    for (written, value, former) in rows {
      let remarks = InputRemarks()
      #expect(try node("key: \(written)", remarks).json().jsonText == value)
      let texts = former.isEmpty ? [] : [former]
      #expect(remarks.texts.count == texts.count, "\(written)")
      for text in texts {
        let words = text.hasPrefix("\"") ? "the text \(text)" : text
        #expect(remarks.texts.first?.contains("and \(words) in YAML 1.1") == true, "\(written): \(remarks.texts)")
      }
    }
  }

  @Test(arguments: [
    (".inf", "Infinity"), ("-.INF", "-Infinity"), ("+.Inf", "Infinity"), (".nan", "NaN"), (".NaN", "NaN"),
    ("1e999", "Infinity"),
  ])
  func `a number that JSON does not have is an error, and a page gets it from an answer`(
    written: String, name: String
  ) throws {
    let error = #expect(throws: OptionError.self) { try node("key: \(written)").json() }
    #expect(error?.description == "key in f.yaml must be a number that JSON has. It is \(written).")
    #expect(
      try node("key: { a: \(written) }").template()
        == .constant(["a": ["$footbridge": "number", "value": .string(name)]]))
  }

  @Test func `a remark names the place and both readings`() throws {
    let remarks = InputRemarks()
    let value = try node("key: { country: NO, time: 12:30:45, number: 0123, date: 2026-11-27, again: 7 }", remarks)
    _ = try value.json()
    _ = try value.json()
    #expect(
      remarks.texts == [
        #"key.country in f.yaml is NO: the text "NO" in YAML 1.2, and false in YAML 1.1. Footbridge reads YAML 1.2."#,
        #"key.time in f.yaml is 12:30:45: the text "12:30:45" in YAML 1.2, and 45045 in YAML 1.1. Footbridge reads YAML 1.2."#,
        "key.number in f.yaml is 0123: 123 in YAML 1.2, and 83 in YAML 1.1. Footbridge reads YAML 1.2.",
        #"key.date in f.yaml is 2026-11-27: the text "2026-11-27" in YAML 1.2, and a date in YAML 1.1. Footbridge reads YAML 1.2."#,
      ])
  }

  @Test func `a remark about a secret leaves out the value`() throws {
    let remarks = InputRemarks()
    _ = try node("key: { password: 0123 }", remarks).json()
    #expect(
      remarks.texts == [
        "key.password in f.yaml is a number in YAML 1.2, and a number in YAML 1.1. Footbridge reads YAML 1.2."
      ])
  }

  @Test(arguments: ["yes", "on", "1", "'true'", "~", "!!bool yes", "!from /a"])
  func `only true and false are truth values`(written: String) {
    #expect(throws: OptionError.self) { try node("key: \(written)").bool() }
  }

  @Test func `an error tells that YAML 1.1 would have accepted the value`() {
    let error = #expect(throws: OptionError.self) { try node("key: yes").bool() }
    #expect(
      error?.description
        == "key in f.yaml must be true or false. It is a text in YAML 1.2, and was true or false in YAML 1.1.")
  }

  @Test(arguments: ["1_000", "12:30", "'7'", "7.5", "~", "true", "1e99", ".inf", "!json 7"])
  func `only whole numbers are whole numbers`(written: String) {
    #expect(throws: OptionError.self) { try node("key: \(written)").integer(in: 0...1_000_000) }
  }

  @Test(arguments: [("010", 10), ("0o10", 8), ("0x10", 16), ("1e3", 1000), ("7.0", 7)])
  func `a whole number can be written in each way of YAML 1.2`(written: String, value: Int) throws {
    #expect(try node("key: \(written)").integer(in: 0...1_000_000) == value)
  }

  @Test(arguments: [
    ("NO", "NO"), ("1.10", "1.10"), ("0123", "0123"), ("12:30", "12:30"), ("'true'", "true"), (".inf", ".inf"),
  ])
  func `a text is as it is written`(written: String, text: String) throws {
    let remarks = InputRemarks()
    #expect(try node("key: \(written)", remarks).text() == text)
    #expect(remarks.texts == [])
  }

  @Test(arguments: [
    "true", "False", "~", "", "null", "[a]", "{ a: b }", "!form a", "!!binary YQ==", "!!timestamp 2026-11-27",
  ])
  func `a truth value, null, a list, a mapping and an unknown tag are no text`(written: String) {
    #expect(throws: OptionError.self) { try node("key: \(written)").text() }
  }

  @Test(arguments: ["!env A", "!!binary YQ==", "!!int x", "!!bool 7", "!!set { a }", "!form [a]"])
  func `a tag that has no meaning, or does not fit, is an error`(written: String) {
    #expect(throws: OptionError.self) { try node("key: \(written)").json() }
    #expect(throws: OptionError.self) { try node("key: \(written)").template() }
  }

  @Test func `names are texts as they are written, in each version of YAML`() throws {
    let remarks = InputRemarks()
    #expect(try node("key: { on: 1, NO: 2, 0123: 3, ~: 4 }", remarks).json() == ["on": 1, "NO": 2, "0123": 3, "~": 4])
    #expect(remarks.texts == [])
  }

  @Test func `a merge key is an error, since YAML 1.2 has none`() throws {
    let error = #expect(throws: OptionError.self) { try node("base: &b { a: 1 }\nkey: { <<: *b }").json() }
    #expect(error?.description.contains("must be without <<") == true)
    #expect(try node("key: { '<<': 1 }").json() == ["<<": 1])
  }
}
