import BridgeRuntime
import FootbridgeTesting
import Foundation
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite @BridgeActor struct SessionsTests {
  private let cookieValue = String(repeating: "a", count: 32)

  private func withSessions(_ body: (SessionRegistry, ManualBridgeClock) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await TestServer.run {
      $0.state = path
      $0.seed = nil
    } _: { server in
      try await body(server.sessions, server.clock)
    }
  }

  @Test func `a session without pages ends after a week, and is restored unchanged`() async throws {
    try await withSessions { sessions, clock in
      let session = try await sessions.session(cookieValue: cookieValue)
      session.profile.name = "kept"
      #expect(await session.state.stored())
      clock.advance(by: .seconds(7 * 86_400 - 1))
      sessions.endIdleSessions()
      #expect(sessions.running.count == 1)
      clock.advance(by: .seconds(1))
      sessions.endIdleSessions()
      #expect(sessions.running.isEmpty)
      #expect(try await sessions.session(cookieValue: cookieValue).profile.name == "kept")
    }
  }

  /// Stores a session, ends it, changes the time of its last use in the store to this one, and launches it again.
  private func launchedAgain(
    _ sessions: SessionRegistry, _ clock: ManualBridgeClock, lastUse: String
  ) async throws -> Session {
    let session = try await sessions.session(cookieValue: cookieValue)
    session.profile.name = "kept"
    #expect(await session.state.stored())
    clock.advance(by: .seconds(7 * 86_400))
    sessions.endIdleSessions()
    try await sessions.store?.write { try $0.run("UPDATE session SET usedAt = ?", .text(lastUse)) }
    return try await sessions.session(cookieValue: cookieValue)
  }

  private func times(in sessions: SessionRegistry) async throws -> [String]? {
    try await sessions.store?.read { try $0.rows("SELECT usedAt FROM session").map { try $0[0].text() } }
  }

  @Test func `the first change after a launch writes only what has changed`() async throws {
    try await withSessions { sessions, clock in
      let lastUse = SessionStore.time(Date(timeIntervalSinceNow: -60))
      let session = try await launchedAgain(sessions, clock, lastUse: lastUse)
      session.state.changed()
      #expect(await session.state.stored())
      #expect(try await times(in: sessions) == [lastUse])
      session.profile.name = "renamed"
      #expect(await session.state.stored())
      #expect(try await times(in: sessions) != [lastUse])
    }
  }

  /// The store may be about to delete it when it is read.
  @Test func `a session that was not used for weeks is written whole after its launch`() async throws {
    try await withSessions { sessions, clock in
      let lastUse = SessionStore.time(Date(timeIntervalSinceNow: -20 * 86_400))
      let session = try await launchedAgain(sessions, clock, lastUse: lastUse)
      try await sessions.store?.write { try $0.run("DELETE FROM session") }
      session.state.changed()
      #expect(await session.state.stored())
      #expect(try await sessions.store?.session(session.key.rawValue)?.record.profile.name == "kept")
    }
  }

  @Test func `an unused session ends with its pages unless they reconnect in time`() async throws {
    try await withSessions { sessions, clock in
      let session = try await sessions.session(cookieValue: cookieValue)
      // Something is kept of its pages while they are there.
      session.state.changed()
      #expect(await session.state.stored())
      #expect(try await sessions.store?.session(session.key.rawValue) != nil)
      session.onEmpty?()
      while clock.sleeperCount < 2 { await Task.yield() }
      clock.advance(by: Session.reconnectionTime - .seconds(1))
      #expect(sessions.running.count == 1)
      clock.advance(by: .seconds(1))
      while !sessions.running.isEmpty { await Task.yield() }
      #expect(await session.state.stored())
      #expect(try await sessions.store?.session(session.key.rawValue) == nil)
    }
  }

  @Test func `a redirect waits for the session that the page before it launches`() async throws {
    try await withSessions { sessions, _ in
      let id = SessionKey(cookieValue: cookieValue).id
      let document = ServedDocument(origin: "http://localhost:8080", target: "/", frame: .main, sessionID: id)
      #expect(await sessions.arriving(cookieValue: cookieValue) == nil)
      sessions.earlyArrivals[id] = DocumentArrivals(timeout: .seconds(3600))
      sessions.servedEarly(document)
      let waiting = Task { await sessions.arriving(cookieValue: cookieValue) }
      await Task.yield()
      let session = try await sessions.session(cookieValue: cookieValue)
      #expect(sessions.earlyArrivals.isEmpty)
      session.arrivals.arrived(document)
      #expect(await waiting.value === session)
    }
  }

  @Test func `a document whose page does not connect in time is forgotten`() async throws {
    try await withSessions { sessions, _ in
      let id = SessionKey(cookieValue: cookieValue).id
      sessions.earlyArrivals[id] = DocumentArrivals(timeout: .zero)
      sessions.servedEarly(ServedDocument(origin: "http://localhost:8080", target: "/", frame: .main, sessionID: id))
      #expect(await sessions.arriving(cookieValue: cookieValue) == nil)
      #expect(sessions.earlyArrivals.isEmpty)
    }
  }

  @Test func `a session that is being deleted is not found`() async throws {
    try await withSessions { sessions, _ in
      let session = try await sessions.session(cookieValue: cookieValue)
      session.drive()
      session.state.changed()
      #expect(await session.state.stored())
      async let deletion: Void = sessions.delete(session)
      while !sessions.running.isEmpty { await Task.yield() }
      #expect(try await sessions.known(cookieValue: cookieValue) == nil)
      try await deletion
    }
  }

  @Test func `a session outlasts its pages if a page or a program has set something`() async throws {
    try await withSessions { sessions, _ in
      let session = try await sessions.session(cookieValue: cookieValue)
      #expect(!session.isLasting)
      session.onside?.settings.askToBuyEnabled = true
      #expect(session.isLasting)
      session.onside?.settings.askToBuyEnabled = false
      #expect(!session.isLasting)
      session.onside?.signIn(account: "built-in")
      #expect(session.isLasting)
      #expect(sessions.create(name: "", beginsUsualScenario: true).session.isLasting)
      let driven = sessions.transient()
      #expect(!driven.isLasting)
      driven.drive()
      #expect(driven.isLasting)
    }
  }

  @Test func `a session created by a program outlasts its pages at the next server too`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cookieValue = try await TestServer.run {
      $0.state = path
    } _: { server in
      let (session, value) = server.sessions.create(name: "", beginsUsualScenario: false)
      #expect(await session.state.stored())
      return value
    }
    try await TestServer.run {
      $0.state = path
    } _: { server in
      let session = try await server.sessions.session(cookieValue: cookieValue)
      #expect(session.isLasting)
      server.clock.advance(by: Session.reconnectionTime)
      server.sessions.endIdleSessions()
      #expect(server.sessions.running.map(\.id) == [session.id])
    }
  }

  @Test func `running sessions are written into the store that replaces a damaged one`() async throws {
    try await withSessions { sessions, _ in
      let session = try await sessions.session(cookieValue: cookieValue)
      session.profile.name = "kept"
      #expect(await session.state.stored())
      let store = try #require(sessions.store)
      try await store.replaceDamaged()
      #expect(try await store.session(session.key.rawValue) == nil)
      session.storeWasReplaced()
      #expect(await session.state.stored())
      #expect(try await store.session(session.key.rawValue)?.record.profile.name == "kept")
      // A store that is whole is left as it is.
      await sessions.examineStore()
      #expect(try await store.session(session.key.rawValue) != nil)
    }
  }

  @Test func `idle sessions end by themselves, and one that was used meanwhile does not`() async throws {
    try await withSessions { sessions, clock in
      let session = try await sessions.session(cookieValue: cookieValue)
      let other = try await sessions.session(cookieValue: String(repeating: "b", count: 32))
      for each in [session, other] {
        each.profile.name = "kept"
        // What is on its way to the store keeps its session.
        #expect(await each.state.stored())
      }
      clock.advance(by: .seconds(6 * 86_400))
      _ = try await sessions.session(cookieValue: cookieValue)
      for _ in 0..<48 where sessions.running.count > 1 {
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(3600))
        await Task.yield()
      }
      #expect(sessions.running.map(\.id) != [other.id] && sessions.running.count == 1)
    }
  }
}
