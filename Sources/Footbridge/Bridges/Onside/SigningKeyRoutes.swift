import BridgeCore
import BridgeRuntime
import HTTPTypes
import Sessions

/// Routes of the keys that sign histories and notifications.
enum SigningKeyRoutes {
  static let all = [
    ControlRoute(.get, "/signing-keys") { request in
      let keys = try keys(request)
      await keys.refresh()
      return .json(keys.json)
    },
    ControlRoute(.post, "/signing-keys") { request in
      let keys = try keys(request)
      let seconds = try await request.members(["publishFormerFor"])["publishFormerFor"]?
        .integer(in: SigningKeys.secondsPublished)
      do {
        try await keys.rotate(publishingFormerFor: seconds ?? SigningKeys.usualSecondsPublished)
      } catch {
        request.sessions.server.logger.error("The new signing key cannot be kept: \(error)")
        throw ControlProblem.unkept
      }
      return .created(keys.json, location: "/signing-keys")
    },
  ]

  @BridgeActor
  private static func keys(_ request: ControlRequest) throws -> SigningKeys {
    guard let keys = request.sessions.server.part(SigningKeys.self, of: "onside") else {
      throw ControlProblem.notFound("The bridge onside is switched off.")
    }
    return keys
  }
}
