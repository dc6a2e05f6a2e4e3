package import BridgeCore
package import BridgeRuntime
import Essentials

/// The signing keys of a part of the server: the current key, and the public keys of former ones while they stay published.
///
/// After a rotation, signatures of the former key can still be verified for a while. Both files are in the state directory, so a restart
/// changes nothing.
@BridgeActor
package final class SigningKeys {
  /// The public key of a former key pair.
  private struct Former: Sendable {
    let jwk: JSONValue
    let end: BridgeInstant
  }

  /// The default time for which a former key stays published, in seconds. The contract has no rotation; this is ours.
  package nonisolated static let usualSecondsPublished = 3600
  /// The possible times for which a former key stays published, in seconds: up to 30 days. With 0, it is removed at once.
  package nonisolated static let secondsPublished = 0...2_592_000
  /// The maximum number of former keys. If there are more, the oldest are removed.
  private static let mostFormer = 10

  private let state: (any StateStorage)?
  private let fileName: String
  private let clock: any BridgeClock
  private var current: SigningKey
  private var former: [Former]
  private var rotation: Task<Void, any Error>?

  private var formerFileName: String { fileName + ".former.json" }

  /// Reads the keys from the state directory. If there is none, makes a key and writes its file.
  ///
  /// - Parameters:
  ///   - state: The directory; nil for keys that live as long as the process.
  ///   - fileName: The file of the current key in it, in PEM form.
  ///   - clock: The clock for the end of a former key.
  /// - Throws: ``StateError/unusable(_:reason:)``. A file without a usable key stays as it is.
  package init(state: (any StateStorage)?, fileName: String, clock: any BridgeClock) throws {
    self.state = state
    self.fileName = fileName
    self.clock = clock
    current = try SigningKey(state: state, fileName: fileName)
    former = Self.former(try state?.read(fileName + ".former.json"), besides: current)
  }

  private static func former(_ data: Data?, besides current: SigningKey) -> [Former] {
    let stored = data.flatMap { try? JSONValue(parsing: $0) }
    return (stored?["keys"]?.arrayValue ?? []).compactMap { entry in
      guard let jwk = entry["key"], let end = entry["publishedUntil"]?.numberValue,
        jwk["kid"]?.stringValue != current.keyID
      else { return nil }
      return Former(jwk: jwk, end: BridgeInstant(millisecondsSinceEpoch: end))
    }
  }

  /// Reads the keys again if other servers share them, since one of these may have rotated them. If the database cannot be reached, keeps the
  /// known keys.
  package func refresh() async {
    guard let state, state.isShared, let pem = try? await state.readLater(fileName),
      let formerData = try? await state.readLater(formerFileName) ?? Data(), let key = SigningKey(pem: Array(pem))
    else { return }
    (current, former) = (key, Self.former(formerData, besides: key))
  }

  /// Returns ``publicKeys``, including rotations by other servers.
  package func presentPublicKeys() async -> JSONValue {
    await refresh()
    return publicKeys
  }

  /// The JWK Set (RFC 7517, section 5) with the published keys, the current one first.
  package var publicKeys: JSONValue { ["keys": .array([current.jwk] + published.map(\.jwk))] }

  /// The published keys as the control API shows them, the current one first.
  package var json: JSONValue {
    let keys: [JSONValue] =
      [["kid": .string(current.keyID), "current": true, "publishedUntil": nil]]
      + published.map {
        ["kid": $0.jwk["kid"] ?? .null, "current": false, "publishedUntil": .string($0.end.rfc3339)]
      }
    return ["keys": .array(keys)]
  }

  private var published: [Former] { former.filter { clock.now < $0.end } }

  /// Signs with a new key from now on.
  ///
  /// - Parameter seconds: The time for which the former key stays published, in ``secondsPublished``.
  /// - Throws: ``StateError/unusable(_:reason:)`` if the state directory cannot be written. Nothing is changed then.
  package func rotate(publishingFormerFor seconds: Int) async throws {
    // Rotations run one after the other, since each begins with the keys of the one before.
    let task = Task { [before = rotation] in
      _ = await before?.result
      try await rotateNow(publishingFormerFor: seconds)
    }
    rotation = task
    try await task.value
  }

  private func rotateNow(publishingFormerFor seconds: Int) async throws {
    let lock = try await lockShared()
    defer { withExtendedLifetime(lock) {} }
    await refresh()
    let next = SigningKey()
    var former = published
    if seconds > 0 { former.insert(Former(jwk: current.jwk, end: clock.now.advanced(by: .seconds(seconds))), at: 0) }
    former = Array(former.prefix(Self.mostFormer))
    if let state {
      let entries = former.map { entry -> JSONValue in
        ["key": entry.jwk, "publishedUntil": .number(entry.end.millisecondsSinceEpoch)]
      }
      let stored: JSONValue = ["keys": .array(entries)]
      // Write the former keys first: if the server is killed in between, the current key still signs.
      let files = [(Data(stored.jsonText.utf8), formerFileName), (Data(next.pem), fileName)]
      try await withTaskExecutorPreference(globalConcurrentExecutor) {
        for (data, name) in files { try state.write(data, to: name) }
      }
    }
    (current, self.former) = (next, former)
  }

  /// Locks the keys against rotations by other servers; nil if no other server shares them.
  private func lockShared() async throws -> (any Sendable)? {
    guard let state, state.isShared else { return nil }
    let name = fileName
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try state.lock(name) as (any Sendable)? }
  }

  /// Signs a JSON value with the current key.
  package func sign(_ payload: JSONValue) async -> String { await current.sign(payload) }
}
