import Foundation
import Testing

@testable import Footbridge

@Suite struct StateDirectoryTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state/footbridge"),
    (["XDG_STATE_HOME": "relative", "HOME": "/home/a"], "/home/a/.local/state/footbridge"),
    (["HOME": "/home/a"], "/home/a/.local/state/footbridge"),
    ([:], NSHomeDirectory() + "/.local/state/footbridge"),
  ])
  func `the usual folder is the user's own`(environment: [String: String], path: String) {
    #expect(StateDirectory.defaultPath(in: environment) == path)
  }
}
