import BridgeCore
import Cryptography
import Essentials
package import Logging
import Synchronization

/// Seals what may be secret in the store, such as cookies, tokens, and messages to pages that carry them. Who reads the database, its log or
/// a backup finds none of them.
///
/// The key is beside the store: in a file of the state directory, or in the database, sealed with the key of `--state-key`.
package final class StoreSeal: Sendable {
  /// The file with the key.
  private static let fileName = "store.key"

  private let key: [UInt8]
  /// The bridges that have no secrets in their settings and messages.
  let clearBridges: Set<String>
  private let logger: Logger
  private let hasWarned = Mutex(false)

  /// Reads the key, or creates it.
  ///
  /// - Throws: ``StateError``.
  package init(_ storage: any StateStorage, clearBridges: Set<String>, logger: Logger) throws {
    key = Array(try storage.read(Self.fileName, orCreate: AuthenticationCode.makeKey()))
    guard key.count == SealedBytes.keyByteCount else {
      throw StateError.unusable(
        storage.place(of: Self.fileName),
        reason: "It has \(key.count) bytes, and the key of the store has \(SealedBytes.keyByteCount).")
    }
    self.clearBridges = clearBridges
    self.logger = logger
  }

  /// Seals JSON. The result is JSON, too: a text in Base64.
  package func seal(_ json: [UInt8]) -> [UInt8] {
    Array("\"\(Data(SealedBytes.seal(json, with: key)).base64EncodedString())\"".utf8)
  }

  /// Opens sealed JSON, and returns any other JSON object as it is. Returns nil for JSON that was sealed with another key.
  package func open(_ json: [UInt8]) -> [UInt8]? {
    guard json.first == UInt8(ascii: "\"") else { return json }
    let text = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
    if let sealed = Data(base64Encoded: text), let opened = SealedBytes.open(Array(sealed), with: key) { return opened }
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst {
      logger.warning(
        "Parts of the store are sealed with another \(Self.fileName). Their cookies, tokens and messages are left out.")
    }
    return nil
  }

  /// Seals a message to a page, unless its bridge has no secrets.
  func seal(_ text: [UInt8], action: String) -> [UInt8] {
    clearBridges.contains { action.hasPrefix("\($0).") } ? text : seal(text)
  }
}

extension SessionProfile {
  /// The part of a profile that may have secrets.
  private struct Secrets: Codable {
    let bridges: [String: [String: JSONValue]]
    let rules: StoredRules?
  }

  /// The profile for the store.
  func sealed(by seal: StoreSeal?) throws -> SessionProfile {
    guard let seal else { return self }
    var profile = self
    let bridges = profile.removeBridges(except: seal.clearBridges)
    if bridges.isEmpty, rules == nil { return profile }
    profile.rules = nil
    let secrets = try SessionStore.encoded(Secrets(bridges: bridges, rules: rules))
    profile.sealed = String(decoding: seal.seal(secrets), as: UTF8.self)
    return profile
  }

  /// The profile from the store.
  func opened(by seal: StoreSeal?) throws -> SessionProfile {
    guard let seal, let sealed else { return self }
    var profile = self
    profile.sealed = nil
    guard let opened = seal.open(Array(sealed.utf8)) else { return profile }
    let secrets = try JSONDecoder().decode(Secrets.self, from: Data(opened))
    for (name, members) in secrets.bridges { profile[name] = members }
    profile.rules = secrets.rules
    return profile
  }
}
