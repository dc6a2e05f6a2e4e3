import Testing

@testable import BridgeCore

@Suite struct ActionTableTests {
  private func table(_ names: String...) -> ActionTable<String> {
    var table = ActionTable<String>()
    for name in names { table[name] = "of \(name)" }
    return table
  }

  /// What the table has for a message of this action, as it was made here and as it was received.
  private func values(_ table: ActionTable<String>, _ action: String) throws -> Set<String?> {
    let made = BridgeMessage.make(action: action)
    var writer = JSONWriter()
    made.write(to: &writer)
    return [table[action], table[made], table[try BridgeMessage(parsing: writer.bytes)]]
  }

  @Test func `a lookup finds the value of exactly its action`() throws {
    let table = table("a", "b.c")
    #expect(try values(table, "a") == ["of a"])
    #expect(try values(table, "b.c") == ["of b.c"])
    for name in ["", "A", "b", "c", "b.d", "b.c ", "b\u{0}c"] { #expect(try values(table, name) == [nil], "\(name)") }
    #expect(try values(ActionTable(), "a") == [nil])
  }

  @Test func `an action that is a prefix of another one has its own value`() throws {
    for names in [["a", "ab", "abc"], ["abc", "ab", "a"]] {
      let table = table(names[0], names[1], names[2])
      for name in names { #expect(try values(table, name) == ["of \(name)"]) }
      #expect(try values(table, "abcd") == [nil])
    }
  }

  @Test func `setting an action again replaces its value`() throws {
    var table = table("a", "b")
    table["a"] = "new"
    #expect(try values(table, "a") == ["new"])
    #expect(try values(table, "b") == ["of b"])
    table["a"] = nil
    #expect(try values(table, "a") == [nil])
  }

  @Test func `removing an action leaves the values of other actions`() throws {
    for gone in ["a", "b", "c"] {
      var table = table("a", "b", "c")
      table[gone] = nil
      table[gone] = nil
      table["d"] = nil
      for name in ["a", "b", "c"] { #expect(try values(table, name) == [name == gone ? nil : "of \(name)"]) }
      table[gone] = "again"
      #expect(try values(table, gone) == ["again"])
    }
  }

  @Test func `the empty string can be an action`() throws {
    #expect(try values(table("a"), "") == [nil])
    var table = table("a", "")
    #expect(try values(table, "") == ["of "])
    #expect(try values(table, "a") == ["of a"])
    table[""] = nil
    #expect(try values(table, "") == [nil])
  }

  @Test func `an action is found whether the message writes its characters as escapes or not`() throws {
    let table = table("é\n", "😀")
    #expect(try values(table, "é\n") == ["of é\n"])
    for (raw, value) in [(#"\u00e9\u000a"#, "of é\n"), (#"é\n"#, "of é\n"), (#"\ud83d\ude00"#, "of 😀")] {
      let text = #"{"version":"1.0","correlationId":"1","type":"request","timestamp":1,"payload":{"action":"\#(raw)"}}"#
      #expect(table[try BridgeMessage(parsing: text.utf8)] == value)
    }
  }
}
