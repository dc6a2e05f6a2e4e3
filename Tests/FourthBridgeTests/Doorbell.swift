import BridgeCore
import BridgeRuntime
import Footbridge

/// A made-up bridge, from outside of the server's own code: a page presses a doorbell, and the house answers.
struct Doorbell: BridgeDefinition {
  let name = "doorbell"
  var isEnabled = true
  /// What the house answers.
  var sound = "ding"

  /// The code at the door is nobody else's business.
  var marks: JournalMarks { JournalMarks(secretMembers: ["pin"]) }

  var shim: ShimPart { ShimPart(channels: [ShimPart.Channel("doorbell", action: "doorbell.message")]) }

  func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    { [sound] in DoorbellSession($0, sound: sound) }
  }
}

extension Doorbell: ConfigurableBridge {
  mutating func read(_ section: InputNode) throws(OptionError) {
    let members = try section.section(["enabled", "sound"])
    isEnabled = try members["enabled"]?.bool() ?? true
    sound = try members["sound"]?.text() ?? sound
  }

  var routes: [ControlRoute] {
    [
      ControlRoute(.get, "/sessions/{session}/doorbell") { request in
        .json(["presses": .number(Double(try await request.bridge(DoorbellSession.self).presses))])
      }
    ]
  }
}

/// The house of one session. How often someone has pressed outlives a launch.
@BridgeActor
final class DoorbellSession: SessionBridge {
  let sound: String
  private let session: SessionContext

  init(_ session: SessionContext, sound: String) {
    self.session = session
    self.sound = sound
  }

  var presses: Int { session.profile["presses"]?.numberValue.map { Int($0) } ?? 0 }

  var json: [String: JSONValue] { ["doorbell": ["presses": .number(Double(presses))]] }

  func makePage(_ page: any BridgePage) -> (any PageBridge)? { DoorbellPage(self) }

  func press() -> String {
    session.profile["presses"] = .number(Double(presses + 1))
    return "\(sound) \(presses)"
  }
}

/// The bell at one page.
final class DoorbellPage: PageBridge {
  private let house: DoorbellSession

  init(_ house: DoorbellSession) {
    self.house = house
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.action == "doorbell.message" else { return false }
    responder.respond(status: .success, data: ["value": .string(house.press())], error: nil)
    return true
  }
}
