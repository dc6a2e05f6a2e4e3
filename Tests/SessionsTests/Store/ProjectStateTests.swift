import Foundation
import Logging
import Testing

@testable import Sessions

@Suite struct ProjectStateTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/state", "HOME": "/home/a"], "/state/footbridge"),
    (["XDG_STATE_HOME": "relative", "HOME": "/home/a"], "/home/a/.local/state/footbridge"),
    (["HOME": "/home/a"], "/home/a/.local/state/footbridge"),
    ([:], NSHomeDirectory() + "/.local/state/footbridge"),
  ])
  func `the default state folder is in the user's state home`(environment: [String: String], path: String) {
    #expect(StateDirectory.usersPath(in: environment) == path)
  }

  @Test(arguments: [
    ("/home/eva/shop/site", "shop-site-"), ("/srv", "srv-"), ("/", ""), ("/a/b c/ü$", "b-c----"),
    ("/a/.hidden/x", "hidden-x-"),
    ("/x/\(String(repeating: "n", count: 300))", "x-\(String(repeating: "n", count: 40))-"),
  ])
  func `the name of a project's state folder is readable and safe`(path: String, prefix: String) {
    let name = StateDirectory.name(ofProject: path)
    #expect(name.dropLast(8) == prefix, "\(name)")
    #expect(name.utf8.count <= 100 && !name.contains("/") && !name.hasPrefix("."))
  }

  @Test func `folders of the same name have different state folders`() {
    #expect(StateDirectory.name(ofProject: "/home/a/shop/site") != StateDirectory.name(ofProject: "/home/b/shop/site"))
  }

  @Test func `every path to a folder gives the same state folder`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/footbridge-project-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/site", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/site")
    let path = StateDirectory.defaultPath(ofProject: folder + "/site")
    #expect(StateDirectory.defaultPath(ofProject: folder + "/link") == path)
    #expect(StateDirectory.defaultPath(ofProject: folder + "/site/") == path)
    #expect(StateDirectory.defaultPath(ofProject: folder + "/link/../site/.") == path)
    #expect(StateDirectory.defaultPath(ofProject: folder) != path)
  }

  @Test func `an explicit state folder has an authority of its own`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/footbridge-state-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try StateDirectory(path: path).authorityStorage().place(of: "a") == path + "/a")
  }
}
