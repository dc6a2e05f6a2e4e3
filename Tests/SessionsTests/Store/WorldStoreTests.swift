import BridgeRuntime
import Foundation
import Logging
import OnsideKit
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

/// What sessions of a world have in common, in the store.
@Suite struct WorldStoreTests: StoredValues {
  /// The state of a session in the world `family`.
  private func state(_ orders: [String], version: String, locale: String = "en_US") throws -> OnsideState {
    var state = OnsideState(settings: OnsideSettings()).joining(OnsideWorldMark(name: "family", version: version))
    state.settings.locale = locale
    state.ledger.purchases = SharedList(try orders.map { try purchase($0) })
    return state
  }

  private func orders(of key: String, in store: SessionStore) async throws -> [String] {
    try await store.session(key)?.record.onside.ledger.purchases.map(\.id) ?? []
  }

  @Test(arguments: StoreKind.installed)
  func `every session of a world reads what one of them stores`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let none = try state([], version: "1")
      #expect(await store.save([change("a", none), change("b", none)]).isEmpty)
      let bought = try state(["x"], version: "2")
      #expect(await store.save([change("a", bought, former: none), change("b", bought, former: none)]).isEmpty)
      let more = try state(["x", "y"], version: "3")
      #expect(await store.save([change("a", more, former: bought)]).isEmpty)
      #expect(try await orders(of: "b", in: store) == ["x", "y"])
      #expect(try await store.session("b")?.record.onside.world?.version == "3")
      #expect(try await place.number("SELECT count(*) FROM worldPurchase") == 2)
      #expect(try await place.number("SELECT count(*) FROM purchase") == 0)
      let key = try await store.key(ofOrder: "y")
      #expect(key == "a" || key == "b")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a new launch writes the world again only if it has changed`(
    kind: StoreKind
  )
    async throws
  {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let bought = try state(["x", "y"], version: "2")
      #expect(await store.save([change("a", bought)]).isEmpty)
      let row = try await place.number("SELECT max(rowid) FROM worldPurchase")
      #expect(await store.save([change("b", bought)]).isEmpty)
      #expect(try await place.number("SELECT max(rowid) FROM worldPurchase") == row)
      #expect(await store.save([change("b", try state(["y"], version: "3"))]).isEmpty)
      #expect(try await orders(of: "a", in: store) == ["y"])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `the orders of a session that joins a world become those of the world`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let alone = try state(["x"], version: "").joining(world: nil)
      #expect(await store.save([change("a", alone)]).isEmpty)
      #expect(try await place.number("SELECT count(*) FROM purchase") == 1)
      #expect(await store.save([change("a", try state(["x"], version: "1"), former: alone)]).isEmpty)
      #expect(try await place.number("SELECT count(*) FROM purchase") == 0)
      #expect(try await orders(of: "a", in: store) == ["x"])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `sessions of a world are stored together or not at all`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await place.refuse("INSERT ON session", when: "NEW.key = 'b'")
      let bought = try state(["x"], version: "1")
      let other = OnsideState(settings: OnsideSettings())
      let failures = await store.save([change("a", bought), change("b", bought), change("c", other)])
      #expect(failures.keys.sorted() == [0, 1])
      #expect(try await store.session("a") == nil)
      #expect(try await store.session("c") != nil)
      #expect(try await place.number("SELECT count(*) FROM world") == 0)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a world is deleted with its last session`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let bought = try state(["x"], version: "1")
      #expect(await store.save([change("a", bought), change("b", bought)]).isEmpty)
      #expect(await store.save([change("a", nil)]).isEmpty)
      #expect(try await orders(of: "b", in: store) == ["x"])
      #expect(await store.save([change("b", nil)]).isEmpty)
      #expect(try await place.number("SELECT count(*) FROM world") == 0)
      #expect(try await place.number("SELECT count(*) FROM worldPurchase") == 0)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a new session of a world starts with the stored state of the world`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let bought = try state(["x"], version: "1", locale: "de_DE")
      #expect(await store.save([change("a", bought)]).isEmpty)
      let new = SessionRecord([OnsideState(settings: OnsideSettings())])
      let joined = try await new.joining(world: "family", store).onside
      #expect(joined.common == bought.common)
      #expect(joined.world == bought.world)
      #expect(joined.settings.locale == "en_US")
      #expect(try store.withWorld(new).onside == new.onside)
      #expect(try await OnsideState.isStoredThere("x", store))
    }
  }

  @Test func `an imported state is in no world`() throws {
    let text = try SessionStore.encoded(try state(["x"], version: "1"))
    #expect(try OnsideState.imported(Data(text)).world == nil)
  }
}

extension OnsideState {
  fileprivate static func isStoredThere(_ id: String, _ store: SessionStore) async throws -> Bool {
    try await store.read { try isStored(oneOf: [id], in: $0) }
  }
}
