import BridgeCore

extension JSONValue {
  /// The approximate size of the value in memory, in bytes. With many small parts, it is far larger than the text.
  var occupiedByteCount: Int {
    switch self {
    case .null, .bool, .number: 32
    case .string(let text): 32 + text.utf8.count
    case .array(let elements): elements.reduce(64) { $0 + $1.occupiedByteCount }
    case .object(let members): members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.occupiedByteCount }
    }
  }
}
