import BridgeCore
import BridgeRuntime
import Foundation
import GRDB
import Logging
import OnsideKit
import Testing

@testable import Sessions

@Suite struct SessionStoreTests {
  private func withDirectory(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (StateDirectory) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(StateDirectory(path: path))
  }

  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func state(locale: String) -> OnsideState {
    var settings = OnsideSettings()
    settings.locale = locale
    return OnsideState(settings: settings)
  }

  private func change(_ key: String, _ state: OnsideState?, former: OnsideState? = nil) -> SessionChange {
    SessionChange(
      key: key,
      former: former.map { SessionRecord([$0]) },
      record: state.map { SessionRecord([$0]) }
    )
  }

  private func purchase(_ id: String, price: String = "1") throws -> OnsidePurchase {
    let text = """
      {"id":"\(id)","originalID":"\(id)","accountID":"a","productIdentifier":"coins","type":"Consumable",
      "price":{"value":"\(price)","currencyCode":"EUR"},"countryCode":"DE","reason":"PURCHASE","purchasedAt":1,
      "originalPurchasedAt":1}
      """
    return try JSONDecoder().decode(OnsidePurchase.self, from: Data(text.utf8))
  }

  /// A transaction whose id ends with a digit.
  private func transaction(_ digit: String, stage: String = "queued") throws -> QueuedTransaction {
    let text = """
      {"transaction":{"id":"00000000-0000-4000-8000-00000000000\(digit)","payment":{"product":{"productIdentifier":"coins","localizedTitle":"",
      "localizedDescription":"","price":{"value":"1","currencyCode":"EUR"}}},"transactionState":"purchasing",
      "storefront":{"id":"s","countryCode":"DE"}},"accountID":"a","stage":"\(stage)","needsAnnouncement":false}
      """
    return try JSONDecoder().decode(QueuedTransaction.self, from: Data(text.utf8))
  }

  // MARK: Keeping

  @Test func `a time is kept to the millisecond, as GRDB reads it`() throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000.25)
    let text = SessionStore.time(date)
    #expect(text == "2027-01-15 08:00:00.250")
    #expect(Date.fromDatabaseValue(text.databaseValue) == date)
    #expect(text == String.fromDatabaseValue(date.databaseValue))
  }

  @Test func `what was kept is there when the store is opened again`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(try await store.session("a")?.record == nil)
      try await store.keepAll([change("a", state(locale: "de_DE"))])
      try await store.keepAll([change("b", state(locale: "fr_FR"))])
      try await store.keepAll([change("a", state(locale: "es_ES"))])
      let again = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(try await again.session("a")?.record.onside.settings.locale == "es_ES")
      #expect(try await again.session("b")?.record.onside.settings.locale == "fr_FR")
    }
  }

  @Test func `many sessions at once are all kept`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { try await store.keepAll([change("\(number % 50)", state(locale: "l\(number)"))]) }
        }
        try await group.waitForAll()
      }
      for number in 0..<50 { #expect(try await store.session("\(number)") != nil) }
    }
  }

  @Test func `orders keep their place when they change, and go when they are gone`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      var first = state(locale: "de_DE")
      first.ledger.purchases = try [purchase("1"), purchase("2"), purchase("3")]
      try await store.keepAll([change("a", first)])
      var second = first
      second.ledger.purchases = try [purchase("1", price: "5"), purchase("3"), purchase("4")]
      try await store.keepAll([change("a", second, former: first)])
      #expect(try await store.session("a")?.record.onside.ledger.purchases == second.ledger.purchases)
      #expect(try await store.key(ofOrder: "4") == "a")
      #expect(try await store.key(ofOrder: "2") == nil)
    }
  }

  @Test func `pages, their events and answers are kept until they end or are needed no more`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let events = (1...3).map { PageChange.Event(sequence: $0, action: "e", text: [UInt8($0)]) }
      let answer = PageChange.Answer(number: 0, correlationId: "c", action: "f", text: [9])
      var first = change("a", state(locale: "de_DE"))
      first.pages = [PageChange(pageID: "p", lastSequence: 3, oldestSequence: 1, events: events, answers: [answer])]
      try await store.keepAll([first])
      #expect(
        try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 3, events: events, answers: [answer])]
      )
      var second = change("a", state(locale: "de_DE"))
      second.pages = [PageChange(pageID: "p", lastSequence: 4, oldestSequence: 3, oldestAnswer: 1)]
      try await store.keepAll([second])
      #expect(try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 4, events: [events[2]])])
      let forgotten = ForgottenCalls(series: [.init(prefix: "footbridge-", through: 9, unanswered: [4])])
      second.pages = [PageChange(pageID: "p", forgottenCalls: forgotten)]
      try await store.keepAll([second])
      #expect(try await store.session("a")?.pages["p"]?.forgottenCalls == forgotten)
      var third = change("a", state(locale: "de_DE"))
      third.endedPages = ["p"]
      try await store.keepAll([third])
      #expect(try await store.session("a")?.pages == [:])
    }
  }

  @Test func `a page that has ended and comes back with the same change is kept as it is now`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let events = (1...2).map { PageChange.Event(sequence: $0, action: "e", text: [UInt8($0)]) }
      var first = change("a", state(locale: "de_DE"))
      first.pages = [PageChange(pageID: "p", lastSequence: 1, events: [events[0]])]
      try await store.keepAll([first])
      var second = change("a", state(locale: "de_DE"))
      second.endedPages = ["p"]
      second.pages = [PageChange(pageID: "p", lastSequence: 2, events: [events[1]])]
      try await store.keepAll([second])
      #expect(try await store.session("a")?.pages == ["p": PageRecord(lastSequence: 2, events: [events[1]])])
    }
  }

  @Test func `a page id that two sessions have is a page of each, and ends in each by itself`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let event = PageChange.Event(sequence: 1, action: "e", text: [1])
      let answer = PageChange.Answer(number: 0, correlationId: "c", action: "f", text: [2])
      for key in ["a", "b"] {
        var opened = change(key, state(locale: "de_DE"))
        opened.pages = [PageChange(pageID: "p", lastSequence: 1, events: [event], answers: [answer])]
        try await store.keepAll([opened])
      }
      var ended = change("a", state(locale: "de_DE"))
      ended.endedPages = ["p"]
      try await store.keepAll([ended])
      var told = change("b", state(locale: "de_DE"))
      told.pages = [PageChange(pageID: "p", events: [.init(sequence: 2, action: "e", text: [3])])]
      try await store.keepAll([told])
      #expect(try await store.session("a")?.pages == [:])
      #expect(try await store.session("b")?.pages["p"]?.events.map(\.sequence) == [1, 2])
      #expect(try await store.session("b")?.pages["p"]?.answers == [answer])
    }
  }

  @Test func `texts that are empty or have any characters are kept as they are`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let answers = ["", "'\"; é 👍"].enumerated().map { number, text in
        PageChange.Answer(number: number, correlationId: text, action: text, text: Array(text.utf8))
      }
      var change = change("a", state(locale: "de_DE"))
      change.pages = [PageChange(pageID: "p", lastSequence: 0, answers: answers)]
      try await store.keepAll([change])
      #expect(try await store.session("a")?.pages["p"]?.answers == answers)
    }
  }

  @Test func `of a change that cannot be written nothing is kept`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      try await store.keepAll([change("a", state(locale: "de_DE"))])
      let database = try DatabaseQueue(path: directory.path + "/" + SessionStore.fileName)
      try await database.write {
        try $0.execute(sql: "CREATE TRIGGER full BEFORE INSERT ON page BEGIN SELECT RAISE(ABORT, 'full'); END")
      }
      var broken = change("a", state(locale: "fr_FR"))
      broken.pages = [PageChange(pageID: "p", lastSequence: 1)]
      #expect(await store.keep([broken]).count == 1)
      #expect(try await store.session("a")?.record.onside.settings.locale == "de_DE")
    }
  }

  @Test func `of changes that are kept together, one that the store refuses takes no other along`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let database = try DatabaseQueue(path: directory.path + "/" + SessionStore.fileName)
      try await database.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER fault BEFORE INSERT ON session WHEN NEW.key = 'b' BEGIN SELECT RAISE(ABORT, 'fault'); END
            """)
      }
      let failures = await store.keep(["a", "b", "c"].map { change($0, state(locale: "de_DE")) })
      #expect(failures.keys.sorted() == [1])
      #expect(failures[1]?.reason == "the server's store has refused the change")
      #expect(try await store.session("a") != nil)
      #expect(try await store.session("b") == nil)
      #expect(try await store.session("c") != nil)
    }
  }

  @Test func `only an error of the disk is called one`() {
    for code: ResultCode in [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY] {
      #expect(StoreFailure(DatabaseError(resultCode: code)).reason.contains("cannot write to its state directory"))
    }
    #expect(!StoreFailure(DatabaseError(resultCode: .SQLITE_CONSTRAINT)).reason.contains("state directory"))
  }

  @Test func `transactions that come, move on and go are kept in their order, whatever else stays`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      var former: OnsideState?
      for transactions: SharedList in try [
        [transaction("b"), transaction("a")],
        [transaction("b", stage: "ended"), transaction("a"), transaction("c")],
        [transaction("a"), transaction("c")],
        [],
      ] {
        var present = state(locale: "de_DE")
        present.transactions = transactions
        try await store.keepAll([change("s", present, former: former)])
        former = present
        #expect(try await store.session("s")?.record.onside == present)
      }
    }
  }

  @Test func `a session is found by its id, and not once it was forgotten`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let key = SessionKey(cookieValue: "cookie")
      var record = SessionRecord([state(locale: "de_DE")])
      record.profile.name = "name"
      record.onside.ledger.purchases = [try purchase("1")]
      try await store.keepAll([SessionChange(key: key.rawValue, former: nil, record: record)])
      try await store.keepAll([change(SessionKey(cookieValue: "other").rawValue, state(locale: "de_DE"))])
      #expect(try await store.key(ofID: key.id) == key.rawValue)
      #expect(try await store.session(key.rawValue)?.record == record)
      try await store.keepAll([change(key.rawValue, nil)])
      #expect(try await store.key(ofID: key.id) == nil)
      #expect(try await store.session(key.rawValue) == nil)
      #expect(try await store.key(ofOrder: "1") == nil)
    }
  }

  // MARK: Files

  @Test func `a file of the first version is taken over with its orders and transactions`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SessionStore.fileName
      var old = state(locale: "de_DE")
      old.ledger.purchases = try [purchase("1"), purchase("2", price: "0.99")]
      old.transactions = try [transaction("2"), transaction("1")]
      var object = try #require(
        JSONSerialization.jsonObject(with: JSONEncoder().encode(old)) as? [String: Any]
      )
      // The first version knew nothing of these.
      object["launch"] = nil
      object["formerLaunch"] = nil
      let content = try JSONSerialization.data(withJSONObject: object)
      do {
        let database = try DatabaseQueue(path: path)
        try SessionStore.migrator.migrate(database, upTo: "sessions")
        try await database.write {
          try $0.execute(sql: "INSERT INTO session VALUES (?, ?, ?)", arguments: ["cookie", content, Date()])
        }
        try database.close()
      }
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let key = SessionKey(cookieValue: "cookie").rawValue
      #expect(try await store.session(key)?.record.onside == old)
      #expect(try await store.key(ofOrder: "2") == key)
    }
  }

  @Test func `pages of a file that knew them by their ids alone are taken over with all that they have`() async throws {
    try await withDirectory { directory in
      let content = try JSONEncoder().encode(state(locale: "de_DE"))
      do {
        let database = try DatabaseQueue(path: directory.path + "/" + SessionStore.fileName)
        try SessionStore.migrator.migrate(database, upTo: "transactions")
        try await database.write { database in
          for key in ["a", "b"] {
            try database.execute(
              sql: "INSERT INTO session (key, onside, changedAt) VALUES (?, ?, '2020-01-01 00:00:00.000')",
              arguments: [key, content])
            try database.execute(sql: "INSERT INTO page VALUES (?, ?, 7)", arguments: ["page of \(key)", key])
            try database.execute(
              sql: "INSERT INTO pageEvent VALUES (?, 7, 'e', ?)", arguments: ["page of \(key)", Data(key.utf8)])
            try database.execute(
              sql: "INSERT INTO pageAnswer VALUES (?, 3, 'c', 'f', ?)", arguments: ["page of \(key)", Data(key.utf8)])
          }
        }
        try database.close()
      }
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      for key in ["a", "b"] {
        let text = Array(key.utf8)
        let page = PageRecord(
          lastSequence: 7, events: [.init(sequence: 7, action: "e", text: text)],
          answers: [.init(number: 3, correlationId: "c", action: "f", text: text)])
        #expect(try await store.session(key)?.pages == ["page of \(key)": page])
        // When it was used last nobody knows: it counts from now on.
        #expect(try #require(await store.session(key)?.lastUse).timeIntervalSinceNow > -60)
      }
    }
  }

  @Test func `a file that a newer version has written is refused and left as it is`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SessionStore.fileName
      do {
        let database = try DatabaseQueue(path: path)
        var newer = SessionStore.migrator
        newer.registerMigration("of a later version") { try $0.execute(sql: "CREATE TABLE later (id)") }
        try newer.migrate(database)
        try database.close()
      }
      let error = #expect(throws: StateError.self) {
        try SessionStore(directory, states: [OnsideState.self], logger: logger)
      }
      #expect(error?.description.contains("A newer version of Footbridge has written it.") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).contains(SessionStore.fileName))
    }
  }

  @Test func `damaged files are set aside one by one, whole`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SessionStore.fileName
      let contents = ["no database at all", "nor this one"].map { Data($0.utf8) }
      for content in contents {
        try content.write(to: URL(fileURLWithPath: path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        #expect(try await SessionStore(directory, states: [OnsideState.self], logger: logger).session("a") == nil)
      }
      let aside = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      let found = try aside.map { try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + $0)) }
      #expect(Set(found) == Set(contents))
    }
  }

  @Test func `a file whose pages are damaged is found by a check, and set aside`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SessionStore.fileName
      do {
        let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
        for number in 0..<200 { try await store.keepAll([change("\(number)", state(locale: "de_DE"))]) }
        // Out of the write-ahead log and into the file.
        let other = try DatabaseQueue(path: path)
        _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      // What is needed to open the file is whole: it is the content that is damaged.
      let size = try file.seekToEnd()
      try file.seek(toOffset: size / 2)
      try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size - size / 2)))
      try file.close()
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(await !store.check())
      try await store.replaceDamaged()
      #expect(await store.check())
      #expect(try await store.session("1") == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { $0.contains(".damaged-") })
    }
  }

  @Test func `a store that was closed needs no check, and one that was not does`() async throws {
    try await withDirectory { directory in
      let first = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(!first.needsCheck)
      try await first.keepAll([change("a", state(locale: "de_DE"))])
      #expect(try await first.session("a") != nil)
      #expect(try SessionStore(directory, states: [OnsideState.self], logger: logger).needsCheck)
      first.close()
      #expect(try !SessionStore(directory, states: [OnsideState.self], logger: logger).needsCheck)
    }
  }

  @Test func `each change is synced to the disk`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let database = try SessionStore.open(path)
    let synchronous = try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(synchronous == 2)
    try database.close()
  }

  @Test func `a session is read while a change waits to be written`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      try await store.keepAll([change("a", state(locale: "de_DE"))])
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(
        path: directory.path + "/" + SessionStore.fileName, configuration: configuration)
      let change = change("b", state(locale: "fr_FR"))
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      async let failures = store.keep([change])
      for _ in 0..<10 { #expect(try await store.session("a") != nil) }
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      #expect(await failures.isEmpty)
    }
  }

  @Test func `sessions without use are forgotten, those that do not outlast their pages first`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      for key in ["looked", "bought", "running", "looking"] {
        var change = change(key, state(locale: "de_DE"))
        change.isLasting = key == "bought"
        change.pages = [PageChange(pageID: "p", lastSequence: 1)]
        try await store.keepAll([change])
      }
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
      let other = try DatabaseQueue(path: directory.path + "/" + SessionStore.fileName)
      try await other.write { try $0.execute(sql: "UPDATE session SET usedAt = '2020-01-01 00:00:00.000'") }
      await store.use("looking")
      try await store.forget(endedBefore: .distantPast, unusedSince: before, except: ["running"])
      #expect(try await known() == ["running", "looking"])
    }
  }

  @Test func `a damaged session is set aside in the store, and the others are not touched`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      try await store.keepAll([change("a", state(locale: "de_DE"))])
      try await store.keepAll([change("b", state(locale: "fr_FR"))])
      let database = try DatabaseQueue(path: directory.path + "/" + SessionStore.fileName)
      try await database.write { try $0.execute(sql: "UPDATE session SET onside = '{' WHERE key = 'a'") }
      #expect(try await store.session("a")?.record == nil)
      #expect(try await store.session("b") != nil)
      let ids = try await database.read { try String.fetchAll($0, sql: "SELECT key FROM session WHERE onside = '{'") }
      #expect(ids.map { $0.hasPrefix("damaged ") } == [true])
    }
  }

  @Test func `only its owner can read the file`() async throws {
    try await withDirectory { directory in
      _ = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + SessionStore.fileName)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }
}

extension SessionStore {
  /// Keeps changes, all of them. Throws why one of them is not kept.
  fileprivate func keepAll(_ changes: [SessionChange]) async throws {
    if let failure = await keep(changes).values.first { throw failure }
  }
}
