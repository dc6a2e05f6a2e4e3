import BridgeRuntime
import Foundation
import OnsideKit
import Testing

@testable import Sessions

@Suite @BridgeActor struct NamedSnapshotsTests {
  private let new = OnsideState(settings: OnsideSettings())

  private func snapshot(_ name: String, locale: String = "fr_FR") throws -> SessionSnapshot {
    var settings = OnsideSettings()
    settings.locale = locale
    var state = OnsideState(settings: settings)
    state.ledger.purchases = [
      try JSONDecoder().decode(
        OnsidePurchase.self,
        from: Data(
          """
          {"id":"1","originalID":"1","accountID":"a","productIdentifier":"coins","type":"Consumable",
          "price":{"value":"1","currencyCode":"EUR"},"countryCode":"DE","reason":"PURCHASE","purchasedAt":1,
          "originalPurchasedAt":1}
          """.utf8))
    ]
    var profile = SessionProfile()
    profile.name = name
    profile["today"] = ["signedIn": true]
    return SessionSnapshot(
      profile: profile, states: [state], clock: (BridgeInstant(millisecondsSinceEpoch: 1_700_000_000_000), true))
  }

  private func with(
    _ kind: StoreKind, _ body: @BridgeActor (_ open: () async throws -> NamedSnapshots, TestStore) async throws -> Void
  ) async throws {
    try await TestStore.with(kind) { place in
      try await body({ NamedSnapshots(try await place.open(), newStates: [new]) }, place)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a named snapshot is complete at every server on the store, also after a restart`(kind: StoreKind) async throws {
    try await with(kind) { open, _ in
      let saved = try snapshot("prepared")
      #expect(try await open().save(saved, as: "a") == .saved)
      let other = try await open()
      let found = try #require(try await other.snapshot("a"))
      #expect(found.profile == saved.profile)
      #expect(found.clock?.now == saved.clock?.now && found.clock?.isFrozen == true)
      #expect(found.states.first as? OnsideState == saved.states.first as? OnsideState)
      #expect(try await other.names() == ["a"])
      #expect(try await other.forget("a"))
      #expect(try await other.snapshot("a") == nil)
      #expect(try await !other.forget("a"))
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a named snapshot replaces the one of its name, and their number is limited`(kind: StoreKind)
    async throws
  {
    try await with(kind) { open, _ in
      let snapshots = try await open()
      for number in 0..<NamedSnapshots.limit {
        #expect(try await snapshots.save(try snapshot("\(number)"), as: "s\(number)") == .saved)
      }
      #expect(try await snapshots.save(try snapshot("more"), as: "more") == .tooMany)
      #expect(try await snapshots.save(try snapshot("new"), as: "s7") == .saved)
      #expect(try await snapshots.snapshot("s7")?.profile.name == "new")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a named snapshot above the byte limit of all is refused`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let half = [UInt8](repeating: 0x20, count: NamedSnapshots.byteLimit / 2)
      #expect(try await store.save(snapshot: half, as: "a") == .saved)
      #expect(try await store.save(snapshot: half + [0x20], as: "b") == .tooLarge)
      #expect(try await store.save(snapshot: half, as: "b") == .saved)
      #expect(try await store.save(snapshot: half, as: "a") == .saved)
    }
  }

  @Test func `snapshots in memory have the same limits`() async throws {
    let snapshots = NamedSnapshots(nil, newStates: [new])
    let half = String(repeating: "a", count: NamedSnapshots.byteLimit / 2)
    #expect(try await snapshots.save(try snapshot(half), as: "a") == .saved)
    #expect(try await snapshots.save(try snapshot(half), as: "b") == .tooLarge)
    #expect(try await snapshots.save(try snapshot("small"), as: "a") == .saved)
    #expect(try await snapshots.save(try snapshot(half), as: "b") == .saved)
    for number in 2..<NamedSnapshots.limit {
      #expect(try await snapshots.save(try snapshot("\(number)"), as: "s\(number)") == .saved)
    }
    #expect(try await snapshots.save(try snapshot("more"), as: "more") == .tooMany)
  }

  @Test(arguments: StoreKind.installed)
  func `a named snapshot that was unused for long is forgotten`(kind: StoreKind) async throws {
    try await with(kind) { open, place in
      let snapshots = try await open()
      for name in ["used", "unused"] { #expect(try await snapshots.save(try snapshot(name), as: name) == .saved) }
      let old = SessionStore.time(Date(timeIntervalSinceNow: -90_000))
      try await place.run("UPDATE snapshot SET usedAt = '\(old)'")
      #expect(try await snapshots.snapshot("used") != nil)
      try await place.open().forgetSnapshots(unusedSince: Date(timeIntervalSinceNow: -80_000))
      #expect(try await snapshots.names() == ["used"])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a named snapshot that cannot be read is an error`(kind: StoreKind) async throws {
    try await with(kind) { open, place in
      let store = try await place.open()
      #expect(try await store.save(snapshot: Array(#"{"profile":7}"#.utf8), as: "a") == .saved)
      await #expect(throws: DecodingError.self) { try await open().snapshot("a") }
      // A member that this version does not know does no harm.
      #expect(
        try await store.save(snapshot: Array(#"{"profile":{"more":1},"states":{},"more":1}"#.utf8), as: "b")
          == .saved)
      #expect(try await open().snapshot("b")?.profile.name == nil)
    }
  }
}
