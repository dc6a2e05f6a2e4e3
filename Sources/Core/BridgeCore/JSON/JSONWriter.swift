/// Writes JSON text into a buffer that can be sent unchanged. It adds no commas between the values of several calls.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.write(["chipRead": true])
/// String(decoding: writer.bytes, as: UTF8.self)   // {"chipRead":true}
/// ```
public struct JSONWriter: Sendable {
  /// The bytes written so far.
  public var bytes: [UInt8]

  /// Creates a writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Writes a value. Members are sorted by name, so that equal values have equal texts.
  public mutating func write(_ value: JSONValue) {
    switch value {
    case .string(let string): write(string)
    case .number(let number): write(number)
    case .bool(let bool): write(literal: bool ? "true" : "false")
    case .null: write(literal: "null")
    case .object(let members): write(members)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Writes an object. Members are sorted by name.
  public mutating func write(_ members: [String: JSONValue]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(member.key)
      bytes.append(UInt8(ascii: ":"))
      write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a string with its quotation marks.
  public mutating func write(_ string: String) {
    write(room: JSONCursor.room(for: string)) { $0.write(string) }
  }

  /// Writes a number: whole ones below 2⁵³ without fraction or exponent, others in the shortest form that reads back the same. Infinities
  /// and NaN become `null`, as in `JSON.stringify`.
  public mutating func write(_ number: Double) {
    write(room: JSONCursor.numberRoom) { $0.write(number) }
  }

  /// Writes text that is already JSON. Does not check it.
  public mutating func write(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes bytes that are already JSON. Does not check them.
  public mutating func write(json: [UInt8]) {
    bytes.append(contentsOf: json)
  }

  /// Appends the bytes that `body` writes, at most `room`. One append is faster than several small ones.
  @inline(__always)
  mutating func write(room: Int, _ body: (inout JSONCursor) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
      var cursor = JSONCursor(memory)
      body(&cursor)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: memory[..<cursor.count]))
    }
  }
}
