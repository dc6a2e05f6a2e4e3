import BridgeRuntime
import Essentials

extension UUID {
  /// A random UUID from the ids of a session.
  init(_ random: BridgeRandom) {
    let (high, low) = random.uuidHalves()
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The UUID as pages, the store and the control API have it: lower-case. (`uuidString` is upper-case.)
  package var text: String {
    let (high, low) = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    return Hexadecimal.uuid(UInt64(bigEndian: high), UInt64(bigEndian: low))
  }
}
