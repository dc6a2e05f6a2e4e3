import BridgeCore
import BridgeRuntime
import Delivery
import Foundation
import Logging
import Testing

@testable import Footbridge
@testable import OnsideKit
@testable import OnsideServer
@testable import Sessions

/// What a store does in any database.
@Suite struct SessionStoreTests: StoredValues {
  @Test(arguments: StoreKind.installed)
  func `stored sessions are read when the store is opened again`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      #expect(try await store.session("a")?.record == nil)
      try await store.saveAll([change("a", state(locale: "de_DE"))])
      try await store.saveAll([change("b", state(locale: "fr_FR"))])
      try await store.saveAll([change("a", state(locale: "es_ES"))])
      let again = try await place.open()
      #expect(try await again.session("a")?.record.onside.settings.locale == "es_ES")
      #expect(try await again.session("b")?.record.onside.settings.locale == "fr_FR")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a session's declared bridges are stored with it and survive other changes`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      var first = SessionRecord([state(locale: "de_DE")])
      let isStored = first.ownBridges.store(["channels": ["acme": nil]], as: "acme")
      #expect(isStored)
      try await store.saveAll([SessionChange(key: "a", former: nil, record: first)])
      // A row that has the bridges already is written without them, also by a version that does not know them.
      var second = first
      second[OnsideState.self] = state(locale: "fr_FR")
      try await store.saveAll([SessionChange(key: "a", former: first, record: second)])
      let stored = try await store.session("a")?.record
      #expect(stored?.ownBridges.sections == ["acme": ["channels": ["acme": nil]]])
      #expect(stored?.onside.settings.locale == "fr_FR")
      try await store.saveAll([
        SessionChange(key: "a", former: second, record: SessionRecord([state(locale: "fr_FR")]))
      ])
      #expect(try await store.session("a")?.record.ownBridges == StoredBridges())
    }
  }

  @Test(arguments: StoreKind.installed)
  func `many sessions are stored at once`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { try await store.saveAll([change("\(number % 50)", state(locale: "l\(number)"))]) }
        }
        try await group.waitForAll()
      }
      for number in 0..<50 { #expect(try await store.session("\(number)") != nil) }
    }
  }

  @Test(arguments: StoreKind.installed)
  func `changed orders retain their place, and removed ones are deleted`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      var first = state(locale: "de_DE")
      first.ledger.purchases = try [purchase("1"), purchase("2"), purchase("3")]
      try await store.saveAll([change("a", first)])
      var second = first
      second.ledger.purchases = try [purchase("1", price: "5"), purchase("3"), purchase("4")]
      try await store.saveAll([change("a", second, former: first)])
      #expect(try await store.session("a")?.record.onside.ledger.purchases == second.ledger.purchases)
      #expect(try await store.key(ofOrder: "4") == "a")
      #expect(try await store.key(ofOrder: "2") == nil)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `pages, events and answers are stored until they end or are acknowledged`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let events = (1...3).map { PageChange.Event(sequence: $0, action: "e", text: [UInt8($0)]) }
      let answer = PageChange.Answer(number: 0, correlationId: "c", action: "f", text: [9])
      var first = change("a", state(locale: "de_DE"))
      first.pages = [PageChange(pageID: "p", lastSequence: 3, oldestSequence: 1, events: events, answers: [answer])]
      try await store.saveAll([first])
      #expect(
        try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 3, events: events, answers: [answer])]
      )
      var second = change("a", state(locale: "de_DE"))
      second.pages = [PageChange(pageID: "p", lastSequence: 4, oldestSequence: 3, oldestAnswer: 1)]
      try await store.saveAll([second])
      #expect(try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 4, events: [events[2]])])
      let forgotten = EvictedCalls(series: [.init(prefix: "footbridge-", through: 9, unanswered: [4])])
      second.pages = [PageChange(pageID: "p", forgottenCalls: forgotten)]
      try await store.saveAll([second])
      #expect(try await store.session("a")?.pages["p"]?.forgottenCalls == forgotten)
      var third = change("a", state(locale: "de_DE"))
      third.endedPages = ["p"]
      try await store.saveAll([third])
      #expect(try await store.session("a")?.pages == [:])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a page that ends and reconnects in one change is stored as it is now`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let events = (1...2).map { PageChange.Event(sequence: $0, action: "e", text: [UInt8($0)]) }
      var first = change("a", state(locale: "de_DE"))
      first.pages = [PageChange(pageID: "p", lastSequence: 1, events: [events[0]])]
      try await store.saveAll([first])
      var second = change("a", state(locale: "de_DE"))
      second.endedPages = ["p"]
      second.pages = [PageChange(pageID: "p", lastSequence: 2, events: [events[1]])]
      try await store.saveAll([second])
      #expect(try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 2, events: [events[1]])])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `two sessions can have pages with the same id, which end separately`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let event = PageChange.Event(sequence: 1, action: "e", text: [1])
      let answer = PageChange.Answer(number: 0, correlationId: "c", action: "f", text: [2])
      for key in ["a", "b"] {
        var opened = change(key, state(locale: "de_DE"))
        opened.pages = [PageChange(pageID: "p", lastSequence: 1, events: [event], answers: [answer])]
        try await store.saveAll([opened])
      }
      var ended = change("a", state(locale: "de_DE"))
      ended.endedPages = ["p"]
      try await store.saveAll([ended])
      var told = change("b", state(locale: "de_DE"))
      told.pages = [PageChange(pageID: "p", events: [.init(sequence: 2, action: "e", text: [3])])]
      try await store.saveAll([told])
      #expect(try await store.session("a")?.pages == [:])
      #expect(try await store.session("b")?.pages["p"]?.events.map(\.sequence) == [1, 2])
      #expect(try await store.session("b")?.pages["p"]?.answers == [answer])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `empty texts and texts of any characters are stored unchanged`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let answers = ["", "'\"; é 👍"].enumerated().map { number, text in
        PageChange.Answer(number: number, correlationId: text, action: text, text: Array(text.utf8))
      }
      var change = change("a", state(locale: "de_DE"))
      change.pages = [PageChange(pageID: "p", lastSequence: 0, answers: answers)]
      try await store.saveAll([change])
      #expect(try await store.session("a")?.pages["p"]?.answers == answers)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a change that cannot be written stores nothing`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await store.saveAll([change("a", state(locale: "de_DE"))])
      try await place.refuse("INSERT ON page")
      var broken = change("a", state(locale: "fr_FR"))
      broken.pages = [PageChange(pageID: "p", lastSequence: 1)]
      #expect(await store.save([broken]).count == 1)
      #expect(try await store.session("a")?.record.onside.settings.locale == "de_DE")
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a refused change does not affect the others stored with it`(kind: StoreKind)
    async throws
  {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await place.refuse("INSERT ON session", when: "NEW.key = 'b'")
      let failures = await store.save(["a", "b", "c"].map { change($0, state(locale: "de_DE")) })
      #expect(failures.keys.sorted() == [1])
      #expect(failures[1]?.reason == "the server's store has refused the change")
      #expect(try await store.session("a") != nil)
      #expect(try await store.session("b") == nil)
      #expect(try await store.session("c") != nil)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `added, changed and removed transactions are stored in their order`(kind: StoreKind)
    async throws
  {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      var former: OnsideState?
      for transactions: SharedList in try [
        [transaction("b"), transaction("a")],
        [transaction("b", stage: "ended"), transaction("a"), transaction("c")],
        [transaction("a"), transaction("c")],
        [],
      ] {
        var present = state(locale: "de_DE")
        present.transactions = transactions
        try await store.saveAll([change("s", present, former: former)])
        former = present
        #expect(try await store.session("s")?.record.onside == present)
      }
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a session is found by its id until it is forgotten`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      let key = SessionKey(cookieValue: "cookie")
      var record = SessionRecord([state(locale: "de_DE")])
      record.profile.name = "name"
      record.onside.ledger.purchases = [try purchase("1")]
      try await store.saveAll([SessionChange(key: key.rawValue, former: nil, record: record)])
      try await store.saveAll([change(SessionKey(cookieValue: "other").rawValue, state(locale: "de_DE"))])
      #expect(try await store.key(ofID: key.id) == key.rawValue)
      #expect(try await store.session(key.rawValue)?.record == record)
      try await store.saveAll([change(key.rawValue, nil)])
      #expect(try await store.key(ofID: key.id) == nil)
      #expect(try await store.session(key.rawValue) == nil)
      #expect(try await store.key(ofOrder: "1") == nil)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `unused sessions are forgotten, those that do not outlast their pages first`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      for key in ["looked", "bought", "running", "looking"] {
        var change = change(key, state(locale: "de_DE"))
        change.isLasting = key == "bought"
        change.pages = [PageChange(pageID: "p", lastSequence: 1)]
        try await store.saveAll([change])
      }
      #expect(try await store.session("bought")?.isLasting == true)
      #expect(try await store.session("looked")?.isLasting == false)
      func known() async throws -> [String] {
        var known: [String] = []
        for key in ["looked", "bought", "running", "looking"] {
          if try await store.session(key) != nil { known.append(key) }
        }
        return known
      }
      let before = Date(timeIntervalSinceNow: -60)
      try await store.forget(endedBefore: before, unusedSince: before, except: [])
      #expect(try await known().count == 4)
      let after = Date(timeIntervalSinceNow: 60)
      try await store.forget(endedBefore: after, unusedSince: before, except: ["running", "looking"])
      #expect(try await known() == ["bought", "running", "looking"])
      try await place.run("UPDATE session SET usedAt = '2020-01-01 00:00:00.000'")
      await store.use("looking")
      try await store.forget(endedBefore: .distantPast, unusedSince: before, except: ["running"])
      #expect(try await known() == ["running", "looking"])
    }
  }

  @Test(arguments: StoreKind.installed)
  func `a damaged session is set aside in the store, and the others are not changed`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await store.saveAll([change("a", state(locale: "de_DE"))])
      try await store.saveAll([change("b", state(locale: "fr_FR"))])
      try await place.run("UPDATE session SET onside = '{' WHERE key = 'a'")
      #expect(try await store.session("a")?.record == nil)
      #expect(try await store.session("b") != nil)
      let keys = try await place.rows("SELECT key FROM session WHERE onside = '{'").map { try $0[0].text() }
      #expect(keys.map { $0.hasPrefix("damaged ") } == [true])
    }
  }

  /// They are read in few transactions: more of them than one query reads.
  @Test(arguments: StoreKind.installed)
  func `each of many sessions that are read at once gets its own content`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      var saved: [String: OnsideState] = [:]
      var changes: [SessionChange] = []
      for number in 0..<150 {
        var state = state(locale: "l\(number)")
        state.ledger.purchases = try [purchase("\(number) b"), purchase("\(number) a")]
        if number.isMultiple(of: 2) { state.transactions = try [transaction("2"), transaction("1")] }
        state.launch.countryCodeAssumption = "\(number)"
        saved["\(number)"] = state
        let event = PageChange.Event(sequence: number + 1, action: "a", text: Array("\(number)".utf8))
        var change = change("\(number)", state)
        change.pages = [PageChange(pageID: "p", lastSequence: number + 1, events: [event])]
        changes.append(change)
      }
      try await store.saveAll(changes)
      try await place.run("UPDATE session SET onside = '{' WHERE key = '70'")
      let read = try await withThrowingTaskGroup(of: (String, StoredSession?).self) { group in
        for number in 0..<200 { group.addTask { ("\(number)", try await store.session("\(number)")) } }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(Set(read.keys) == Set(saved.keys).subtracting(["70"]))
      for (key, session) in read {
        #expect(session.record.onside == saved[key])
        #expect(session.pages["p"]?.events.map { String(decoding: $0.text, as: UTF8.self) } == [key])
      }
      #expect(try await place.number("SELECT count(*) FROM session WHERE key LIKE 'damaged %'") == 1)
    }
  }

  @Test(arguments: StoreKind.installed)
  func `an unreadable session of a shared store stays for servers that can read it`(kind: StoreKind) async throws {
    try await TestStore.with(kind) { place in
      let store = try await place.open()
      try await store.saveAll([change("a", state(locale: "de_DE"))])
      try await place.run("UPDATE session SET onside = '{' WHERE key = 'a'")
      await #expect(throws: UnreadableSession.self) {
        try await store.session("a", fence: SessionFence(key: "a", replicaID: "one", number: 1))
      }
      #expect(try await place.number("SELECT count(*) FROM session WHERE key = 'a'") == 1)
    }
  }

  @Test(
    .enabled(
      if: PostgreSQLServer.isInstalled, "make setup installs PostgreSQL, without which half of these tests is left out")
  )
  func `PostgreSQL can be started`() async throws {
    _ = try await PostgreSQLServer.shared()
  }
}

extension SessionStore {
  /// Keeps changes, all of them. Throws why one of them is not kept.
  func saveAll(_ changes: [SessionChange]) async throws {
    if let failure = await save(changes).values.first { throw failure }
  }
}
