import BridgeCore
import BridgeServer
import HTTPTypes

/// Routes of the journals that outlive their sessions, because a test has failed.
enum TranscriptRoutes {
  static func all(_ server: ControlContext) -> [ControlRoute] {
    [
      ControlRoute(.get, "/transcripts") { request in
        .json(["transcripts": .array(server.failedSessions.all.map(\.json))])
      },
      ControlRoute(.get, "/transcripts/{transcript}") { request in
        let id = request.parameter("transcript")
        guard let found = server.failedSessions[id] else {
          throw ControlProblem.notFound(
            "There is no transcript of a session \(id). The server stores the last \(FailedSessions.limit) of failed tests, for an hour."
          )
        }
        request.exchange.respond(
          .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: found.transcript)
        return .answered
      },
    ]
  }
}
