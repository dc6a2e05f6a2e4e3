import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import Sessions

@BridgeActor @Suite struct SigningKeysTests {
  private static let fileName = "key.pem"

  private let clock = ManualBridgeClock()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "footbridge-" + UUID().uuidString).path

  private func keys(in state: StateDirectory?) throws -> SigningKeys {
    try SigningKeys(state: state, fileName: Self.fileName, clock: clock)
  }

  private func ids(_ keys: SigningKeys) -> [String] {
    (keys.publicKeys["keys"]?.arrayValue ?? []).compactMap { $0["kid"]?.stringValue }
  }

  private func signer(of text: String) throws -> String {
    try #require(CompactJWS(text)?.header["kid"]?.stringValue)
  }

  @Test func `after a rotation the new key signs, and the former one is published until its end`() async throws {
    let keys = try keys(in: nil)
    let first = try #require(ids(keys).first)
    #expect(try await signer(of: keys.sign([:])) == first)
    try await keys.rotate(publishingFormerFor: 60)
    let second = try #require(ids(keys).first)
    #expect(ids(keys) == [second, first] && first != second)
    #expect(try await signer(of: keys.sign([:])) == second)
    #expect(keys.publicKeys["keys"]?.arrayValue?.allSatisfy { $0["d"] == nil } == true)
    clock.advance(by: .seconds(60))
    #expect(ids(keys) == [second])
  }

  @Test func `a former key can be dropped at once, and at most ten are published`() async throws {
    let keys = try keys(in: nil)
    try await keys.rotate(publishingFormerFor: 0)
    #expect(ids(keys).count == 1)
    for _ in 0..<12 { try await keys.rotate(publishingFormerFor: 60) }
    #expect(Set(ids(keys)).count == 11)
  }

  @Test func `concurrent rotations all add a key, and a restart reads them`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = try StateDirectory(path: folder)
    let keys = try keys(in: state)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await keys.rotate(publishingFormerFor: 60) } }
      try await group.waitForAll()
    }
    #expect(ids(keys).count == 4)
    #expect(try ids(self.keys(in: state)) == ids(keys))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test func `an interrupted rotation leaves the former key`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = try StateDirectory(path: folder)
    let first = try ids(keys(in: state))
    let current = try #require(try state.read(Self.fileName))
    try await keys(in: state).rotate(publishingFormerFor: 60)
    // The former keys were written, the new one was not.
    try state.write(current, to: Self.fileName)
    #expect(try ids(keys(in: state)) == first)
  }

  @Test func `a rotation that cannot be written changes nothing`() async throws {
    let state = try StateDirectory(path: folder)
    let keys = try keys(in: state)
    let before = ids(keys)
    try FileManager.default.removeItem(atPath: folder)
    await #expect(throws: StateError.self) { try await keys.rotate(publishingFormerFor: 60) }
    #expect(ids(keys) == before)
  }
}
