import BridgeCore
import BridgeRuntime
import Foundation
import Logging
import Onside
import Testing

@testable import Footbridge

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

  private func record(locale: String) -> SessionRecord {
    var settings = OnsideSettings()
    settings.locale = locale
    return SessionRecord(onside: OnsideState(settings: settings))
  }

  @Test func `what was kept is there when the store is opened again`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, logger: logger)
      #expect(try await store.record(of: "a") == nil)
      try await store.keep(record(locale: "de_DE"), of: "a")
      try await store.keep(record(locale: "fr_FR"), of: "b")
      try await store.keep(record(locale: "es_ES"), of: "a")
      let again = try SessionStore(directory, logger: logger)
      #expect(try await again.record(of: "a")?.onside.settings.locale == "es_ES")
      #expect(try await again.record(of: "b")?.onside.settings.locale == "fr_FR")
    }
  }

  @Test func `many sessions at once are all kept`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, logger: logger)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { try await store.keep(record(locale: "l\(number)"), of: "\(number % 50)") }
        }
        try await group.waitForAll()
      }
      for number in 0..<50 { #expect(try await store.record(of: "\(number)") != nil) }
    }
  }

  @Test @BridgeActor func `a page waits until what it is told of is kept`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, logger: logger)
      let state = SessionState(
        key: SessionKey(rawValue: "a"), record: record(locale: "0"), store: store, logger: logger)
      await withCheckedContinuation { continuation in
        state.onKept = { continuation.resume() }
        for locale in ["1", "2", "3"] { state.record = record(locale: locale) }
        #expect(state.isUnkept)
      }
      #expect(!state.isUnkept)
      #expect(try await store.record(of: "a")?.onside.settings.locale == "3")
    }
  }

  @Test @BridgeActor func `without a store nothing waits`() {
    let state = SessionState(key: SessionKey(rawValue: "a"), record: record(locale: "0"), store: nil, logger: logger)
    state.record = record(locale: "1")
    #expect(!state.isUnkept)
  }

  @Test func `a session is found by its id, and not once it was forgotten`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, logger: logger)
      let key = SessionKey(cookieValue: "cookie")
      var record = record(locale: "de_DE")
      record.profile.name = "name"
      try await store.keep(record, of: key.rawValue)
      try await store.keep(record, of: SessionKey(cookieValue: "other").rawValue)
      #expect(try await store.key(ofID: key.id) == key.rawValue)
      #expect(try await store.record(of: key.rawValue)?.profile.name == "name")
      try await store.keep(nil, of: key.rawValue)
      #expect(try await store.key(ofID: key.id) == nil)
      #expect(try await store.record(of: key.rawValue) == nil)
    }
  }
}
