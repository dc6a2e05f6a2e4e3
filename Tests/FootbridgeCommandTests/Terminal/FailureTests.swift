import Essentials
import Footbridge
import SiteServer
import Testing
import WebServer

@testable import FootbridgeCommand

/// The exit codes of `docs/options.md`.
@Suite struct FailureTests {
  private let sources = OptionSources(flags: [:], environment: [:])

  @Test(arguments: [
    (FootbridgeError.controlTokenMissing(host: "0.0.0.0"), EX_USAGE), (.rootMissing("site"), EX_NOINPUT),
    (.stopped, EX_SOFTWARE),
  ])
  func `each error of the options has its exit code`(error: FootbridgeError, code: Int32) {
    #expect(Failure(error, sources).code == code)
  }

  @Test(arguments: [
    (SiteError.allowedHostInvalid("x"), EX_USAGE), (.certificateUnreadable("a.crt", reason: "is gone"), EX_NOINPUT),
    (.certificateInvalid("a.crt", reason: "is empty"), EX_DATAERR),
    (.fileNotWritable("--har", path: "a.har", reason: "is a folder"), EX_CANTCREAT), (.incompleteBuild, EX_SOFTWARE),
  ])
  func `each error of the site has its exit code`(error: SiteError, code: Int32) {
    #expect(Failure(error, sources).code == code)
  }

  @Test(arguments: [
    (StateError.inUse("state"), EX_TEMPFAIL), (.unreachable("db", reason: "is away"), EX_TEMPFAIL),
    (.unusable("state", reason: "is a file"), EX_CANTCREAT), (.keyMissing("db"), EX_CONFIG),
    (.wrongAddress("db", reason: "has no host"), EX_CONFIG), (.keyUnusable("key", reason: "is gone"), EX_NOINPUT),
    (.libraryMissing("db"), EX_UNAVAILABLE),
  ])
  func `each error of the state has its exit code`(error: StateError, code: Int32) {
    #expect(Failure(error, sources).code == code)
  }

  @Test(arguments: [
    (HTTPServerError.addressInUse(host: "127.0.0.1", port: 8080), EX_UNAVAILABLE),
    (.permissionDenied(host: "127.0.0.1", port: 80), EX_NOPERM), (.noSuchAddress(host: "192.0.2.1"), EX_USAGE),
  ])
  func `each error of listening has its exit code and names the port`(error: HTTPServerError, code: Int32) {
    let failure = Failure(error)
    #expect(failure.code == code)
    #expect(failure.message == error.description)
  }

  @Test func `an error about a path begins with the variable that named it, not with a flag`() {
    let sources = OptionSources(flags: [.root: "site"], environment: [ServerOption.tlsCert.variable: "a.crt"])
    let failure = Failure(.certificateInvalid("a.crt", reason: "is empty"), sources)
    #expect(failure.message.hasPrefix("FOOTBRIDGE_TLS_CERT: "))
    #expect(!Failure(.rootMissing("site"), sources).message.hasPrefix("--root"))
  }
}
