import BridgeRuntime
import Delivery
import Foundation
import Logging
import OnsideKit
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@BridgeActor
@Suite struct SessionStateTests {
  /// Writes down what it is told.
  @BridgeActor
  private final class Owner: SessionStateDelegate {
    var pageChanges: [PageChange] = []
    private(set) var taken = 0
    private(set) var log: [String] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func isLasting(_ record: SessionRecord) -> Bool { true }

    func takePageChanges() -> [PageChange] {
      taken += 1
      defer { pageChanges = [] }
      return pageChanges
    }

    func stateWasStored() { note("stored") }
    func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure) {
      note("\(lost.onside.settings.locale) lost, back to \(record.onside.settings.locale)")
    }
    func launchWasLost() { note("launch lost") }
    func stateMayBeStoredAgain() { note("again") }

    private func note(_ event: String) {
      log.append(event)
      for waiter in waiters { waiter.resume() }
      waiters = []
    }

    func wait(for event: String) async {
      while !log.contains(event) { await withCheckedContinuation { waiters.append($0) } }
    }
  }

  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private let owner = Owner()

  private func record(locale: String) -> SessionRecord {
    var settings = OnsideSettings()
    settings.locale = locale
    return SessionRecord([OnsideState(settings: settings)])
  }

  private func make(_ store: SessionStore?) -> SessionState {
    make("a", store.map { StateWriter($0) })
  }

  private func make(_ key: String, _ writer: StateWriter?) -> SessionState {
    let state = SessionState(
      key: SessionKey(rawValue: key), record: record(locale: "0"), writer: writer, logger: logger)
    state.delegate = owner
    return state
  }

  @Test func `a change that was written to a replaced store is written whole to the new one`() async throws {
    try await TestStore.with(.sqlite) { place in
      let store = try await place.open()
      let state = make(store)
      state.changed()
      let change = try #require(state.takeChange())
      state.storeWasReplaced()
      state.wasStored(change)
      #expect(try #require(state.takeChange()).former == nil)
      store.close()
    }
  }

  @Test func `after a change was lost, the next one is written whole`() async throws {
    try await TestStore.with(.sqlite) { place in
      let stored = record(locale: "0")
      let state = SessionState(
        key: SessionKey(rawValue: "a"), record: stored, written: stored, writer: StateWriter(try await place.open()),
        logger: logger)
      state.delegate = owner
      state.record = record(locale: "1")
      let change = try #require(state.takeChange())
      #expect(change.former == stored)
      #expect(!change.isLastingAnew)
      state.wasLost(change, .fenced)
      state.record = record(locale: "2")
      let next = try #require(state.takeChange())
      #expect(next.former == nil)
      #expect(next.isLastingAnew)
    }
  }

  /// The last session of a world deletes the world, so the change must be among those of the world.
  @Test func `a session that is deleted after a lost change is still known to be of its world`() async throws {
    try await TestStore.with(.sqlite) { place in
      let stored = SessionRecord([OnsideState(settings: OnsideSettings()).joining(world: "w")])
      let state = SessionState(
        key: SessionKey(rawValue: "a"), record: stored, written: stored, writer: StateWriter(try await place.open()),
        logger: logger)
      state.delegate = owner
      state.changed()
      state.wasLost(try #require(state.takeChange()), .fenced)
      state.forget()
      #expect(state.takeChange()?.worldName == "w")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `the changes of one turn are stored together`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let state = make(store)
      for locale in ["1", "2", "3"] { state.record = record(locale: locale) }
      owner.pageChanges = [PageChange(pageID: "p", lastSequence: 1)]
      #expect(state.isUnstored)
      _ = await state.stored()
      #expect(!state.isUnstored)
      #expect(owner.log == ["stored"])
      #expect(owner.taken == 1)
      let stored = try await store.session("a")
      #expect(stored?.record.onside.settings.locale == "3")
      #expect(stored?.pages["p"]?.lastSequence == 1)
    }
  }

  @Test func `a stored change stays stored when the next one is lost`() async throws {
    try await TestStore.with(.sqlite) { place in
      let state = make(try await place.open())
      state.record = record(locale: "1")
      let first = try #require(state.takeChange())
      let wait = Task.immediate { await state.stored() }
      state.record = record(locale: "2")
      state.wasStored(first)
      let second = try #require(state.takeChange())
      state.wasLost(second, .fenced)
      #expect(await wait.value)
    }
  }

  @Test func `without a store no change waits`() {
    let state = make(nil)
    state.record = record(locale: "1")
    #expect(!state.isUnstored)
  }

  @Test(arguments: StoreKind.installed)
  func `a change that the store refuses is rolled back whole, and a later one is stored`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let state = make(store)
      state.record = record(locale: "1")
      _ = await state.stored()
      try await place.refuse("UPDATE ON session")
      state.record = record(locale: "2")
      #expect(await !state.stored())
      #expect(state.record == record(locale: "1"))
      #expect(owner.log == ["stored", "2 lost, back to 1"])
      #expect(!state.isUnstored)
      #expect(try await store.session("a")?.record.onside.settings.locale == "1")
      await owner.wait(for: "again")
      try await place.accept(table: "session")
      state.record = record(locale: "3")
      _ = await state.stored()
      #expect(owner.log.last == "stored")
      #expect(try await store.session("a")?.record.onside.settings.locale == "3")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `of the sessions changed in one turn only the refused one is rolled back`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let writer = StateWriter(store)
      let states = [make("a", writer), make("b", writer)]
      try await place.refuse("INSERT ON session", when: "NEW.key = 'b'")
      for state in states { state.record = record(locale: "1") }
      #expect(await states[0].stored())
      #expect(owner.log.sorted() == ["1 lost, back to 0", "stored"])
      #expect(states.map(\.record) == [record(locale: "1"), record(locale: "0")])
      #expect(try await store.session("a")?.record == record(locale: "1"))
      #expect(try await store.session("b") == nil)
      try await place.accept(table: "session")
      for state in states { state.record = record(locale: "2") }
      #expect(await states[0].stored())
      #expect(try await store.session("a")?.record == record(locale: "2"))
      #expect(try await store.session("b")?.record == record(locale: "2"))
    }
  }

  @Test(arguments: StoreKind.installed)
  func `the record of a page that has ended is removed with the next change`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let state = make(store)
      owner.pageChanges = [PageChange(pageID: "p", lastSequence: 1)]
      state.changed()
      _ = await state.stored()
      let before = try await store.session("a")
      #expect(before?.pages.count == 1)
      state.ended(pageID: "p")
      state.changed()
      _ = await state.stored()
      let after = try await store.session("a")
      #expect(after?.pages.isEmpty == true)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a wait for a change ends when the next launch has stored it`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let writer = StateWriter(try await place.open())
      let (earlier, next) = (make("a", writer), make("a", writer))
      earlier.record = record(locale: "1")
      async let isStored = earlier.stored()
      await Task.yield()
      next.record = record(locale: "2")
      next.takeOver(from: earlier, isStored: false)
      #expect(await isStored)
      // A late change of the launch that has ended does not overwrite those of the next.
      earlier.record = record(locale: "3")
      #expect(!earlier.isPending)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a restart that cannot be stored leaves the record of the launch before`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let writer = StateWriter(store)
      let (earlier, next, last) = (make("a", writer), make("a", writer), make("a", writer))
      earlier.record = record(locale: "1")
      _ = await earlier.stored()
      try await place.refuse("UPDATE ON session")
      next.launch { next.record = record(locale: "reset") }
      next.takeOver(from: earlier, isStored: false)
      #expect(await !next.stored())
      #expect(owner.log.last == "launch lost")
      #expect(next.storedRecord == record(locale: "1"))
      // What the app does next does not bring the restart back.
      last.launch { last.record = next.storedRecord }
      last.takeOver(from: next, isStored: true)
      try await place.accept(table: "session")
      last.record = record(locale: "2")
      #expect(await last.stored())
      #expect(last.storedRecord == record(locale: "2"))
    }
  }

  @Test func `the record in the store is that of the last launch whose change was stored`() async throws {
    try await TestStore.with(.sqlite) { place in
      let writer = StateWriter(try await place.open())
      let states = (0..<3).map { _ in make("a", writer) }
      states[0].record = record(locale: "1")
      let change = try #require(states[0].takeChange())
      states[1].takeOver(from: states[0], isStored: false)
      states[2].takeOver(from: states[1], isStored: false)
      #expect(states[2].storedRecord == record(locale: "0"))
      states[0].wasStored(change)
      #expect(states[2].storedRecord == record(locale: "1"))
    }
  }
}
