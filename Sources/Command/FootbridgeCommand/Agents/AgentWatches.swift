import BridgeRuntime
import ControlClient
import Essentials

/// The resources that an agent watches. The journal of a session has all its changes, so one stream for each session is enough.
@BridgeActor
final class AgentWatches {
  private unowned let agent: AgentServer
  /// The resources of a session that are watched, and the task that follows its journal.
  private struct Watched {
    var uris: Set<String> = []
    let task: Task<Void, Never>
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The number of watches of each resource.
  private var counts: [String: Int] = [:]
  private var sessions: [String: Watched] = [:]
  private var announcements: [String: Task<Void, Never>] = [:]

  /// The time in which changes are gathered into one notification, and the pause before a lost stream is opened again.
  private static let gathering = Duration.milliseconds(50)
  private static let pause = Duration.seconds(1)

  init(_ agent: AgentServer) { self.agent = agent }

  /// Watches a resource of a session. Returns when no later change can be missed, or when the server cannot be reached.
  func begin(_ uri: String, _ session: String) async {
    counts[uri, default: 0] += 1
    if sessions[session] == nil {
      sessions[session] = Watched(task: Task { [weak self] in await self?.follow(session) })
    }
    sessions[session]?.uris.insert(uri)
    guard sessions[session]?.isOpen == false else { return }
    await withCheckedContinuation { sessions[session]?.waiting.append($0) }
  }

  /// The stream of a session is open, or cannot be opened.
  private func opened(_ session: String) {
    sessions[session]?.isOpen = true
    for waiting in sessions[session]?.waiting ?? [] { waiting.resume() }
    sessions[session]?.waiting = []
  }

  func end(_ uri: String) {
    counts[uri, default: 1] -= 1
    guard counts[uri] == 0 else { return }
    counts[uri] = nil
    for (session, watched) in sessions where watched.uris.contains(uri) {
      sessions[session]?.uris.remove(uri)
      if sessions[session]?.uris.isEmpty ?? false { close(session) }
    }
  }

  func endAll() {
    for session in sessions.keys { close(session) }
    for announcement in announcements.values { announcement.cancel() }
    counts = [:]
  }

  private func close(_ session: String) {
    opened(session)
    sessions.removeValue(forKey: session)?.task.cancel()
  }

  /// Follows the journal of a session until nobody watches it, or until it is deleted. Continues after a restart of the server.
  private func follow(_ session: String) async {
    while !Task.isCancelled {
      do {
        try await agent.followJournal(of: session, opened: { opened(session) }, { announce(session) })
        // The session has been deleted, or the server stops.
        announce(session)
      } catch ControlFailure.refused(status: 404, _, _) {
        opened(session)
        return announce(session)
      } catch {
        // The server cannot be reached at the moment.
        opened(session)
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private func announce(_ session: String) {
    guard announcements[session] == nil else { return }
    announcements[session] = Task {
      try? await Task.sleep(for: Self.gathering)
      announcements[session] = nil
      guard !Task.isCancelled, let uris = sessions[session]?.uris else { return }
      agent.changed(uris.sorted())
    }
  }
}

extension AgentServer {
  /// Calls `body` for each new entry of a session's journal, until the server ends the stream.
  fileprivate func followJournal(
    of session: String, opened: () -> Void, _ body: () -> Void
  ) async throws {
    guard let stream = eventStream else { return }
    let call = ControlCall(stream, [ControlOperation.session: session])
    try await currentConnection().follow(call, opened: opened) { _ in body() }
  }
}
