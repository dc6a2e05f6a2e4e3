import Essentials
import Testing

@testable import FootbridgeCommand

/// Options that `footbridge serve` refuses before it listens.
@Suite struct RefusedOptionsTests {
  @Test(arguments: [
    ("--port", "70000"), ("--present", "never"), ("--platform", "android"), ("--event-loop", "epoll"),
    ("--site-origin", "today.example"), ("--log-level", "loud"), ("--tls-port", "70000"), ("--onside-contract", "2.0"),
    ("--seed", "banana"), ("--seed", "1.5"), ("--seed", "18446744073709551616"),
    ("--allow-host", "http://dev.example"), ("--allow-host", "*"), ("--allow-host", "a b"),
    ("--allow-origin", "dev.example"), ("--allow-origin", "null"), ("--allow-origin", "*"),
    ("--allow-origin", "http://dev.example/path"),
    ("--host", "0.0.0.0"), ("--host", "::"), ("--host", "192.0.2.1"), ("--host", "example.com"),
    ("--proxy", "localhost:5173"), ("--proxy", "ftp://localhost"), ("--proxy", "http://"), ("--proxy", "http://a b"),
    ("--proxy", "http://a/?b"), ("--proxy", "/dev"),
  ])
  func `a value that an option cannot have is a usage error that names both`(option: String, value: String) async throws
  {
    let failure = try #require(try await Trial().failure(["--ephemeral", option, value]))
    #expect(failure.code == EX_USAGE)
    #expect(failure.message.contains(value))
    // The address of an upstream server has a form, and so is shown with an example.
    #expect(
      failure.message.contains(option) || option == "--proxy" && failure.message.contains("http://localhost:5173"))
  }

  @Test(arguments: [
    (["--seed=-1"], "--seed is -1"),
    (["--control-token", "two words"], "--control-token is not a bearer token"),
    (["--onside-contract", "2.0"], "docs, 1.3"),
    (["--host", "0.0.0.0"], "--control-token"),
    (["--spa"], "--root"), (["--watch"], "--root"),
    (["--only-sites"], "--only-sites"), (["--site-token", "x"], "--site-token"),
    (["--site", "app.example.com"], "--site"),
    (["--site", "https://app.example.com=nowhere"], "--site"),
    (["--site", "https://app.example.com", "--root", "."], "--root"),
    (["--site", "https://app.example.com", "--proxy", "http://localhost:1"], "--proxy"),
    (["--site", "https://app.example.com", "--site-origin", "https://app.example.com"], "--site-origin"),
    (["--site", "https://app.example.com", "--site-token", "no token"], "--site-token"),
    (["--proxy", "http://localhost:1", "--proxy-host", "http://a"], "--proxy-host: http://a is not a host"),
    (["--proxy", "http://localhost:1", "--proxy-timeout=-1"], "--proxy-timeout"),
    (["--proxy", "http://localhost:1", "--exclude", "admin"], "--exclude: admin is not a path."),
    (["--proxy", "http://localhost:1", "--request-header", "Host: a"], "--proxy-host sets it"),
    (["--proxy", "http://localhost:1", "--request-header", "Content-Length: 1"], "cannot be changed"),
    (["--proxy", "http://localhost:1", "--request-header", "no field"], "a name, a colon and a value"),
    (["--tls-cert", "a.pem"], "--tls-cert has no effect without --tls-port"),
    (["--scenario", "other"], "--scenario is other"),
  ])
  func `options that make no sense are a usage error`(arguments: [String], part: String) async throws {
    let failure = try #require(try await Trial().failure(["--ephemeral"] + arguments))
    #expect(failure.code == EX_USAGE)
    #expect(failure.message.contains(part))
    #expect(!failure.message.contains("two words") && !failure.message.contains("no token"))
  }

  @Test func `a variable that cannot be used is named`() async throws {
    let failure = try await Trial().failure(["--ephemeral"], environment: ["FOOTBRIDGE_TLS_PORT": "x"])
    #expect(failure?.code == EX_CONFIG)
    #expect(failure?.message.contains("FOOTBRIDGE_TLS_PORT is x") == true)
  }

  @Test(arguments: ["present: atuo", "port: eighty", "siteOrigin: today.example", "seed: banana"])
  func `a value of the file that an option cannot have is an error of the configuration`(text: String) async throws {
    let failure = try #require(try await Trial.failure(ofFile: text))
    #expect(failure.code == EX_CONFIG)
    let parts = text.split(separator: ":").map { $0.trimmingPrefix(while: \.isWhitespace) }
    #expect(failure.message.contains("\(parts[0]) in ") && failure.message.contains(parts[1]))
  }

  @Test func `a word that is no option is answered with what was probably meant`() throws {
    let trial = try Trial()
    #expect(Serve.advice(on: trial.folder).hasSuffix("footbridge serve --root \(trial.folder)"))
    #expect(Serve.advice(on: "http://localhost:1").hasSuffix("footbridge serve --proxy http://localhost:1"))
    #expect(Serve.advice(on: "sevre").contains("Did you mean serve?"))
    #expect(Serve.advice(on: "xyz").contains("footbridge serve --help"))
  }

  @Test(arguments: [
    (
      ["--root", ".", "--proxy", "http://localhost:1"],
      ["FOOTBRIDGE_ROOT": ".", "FOOTBRIDGE_PROXY": "http://localhost:1"], "root: .\nproxy: http://localhost:1\n"
    ),
    (
      ["--control-token", "t", "--control-token-file", "f"],
      ["FOOTBRIDGE_CONTROL_TOKEN": "t", "FOOTBRIDGE_CONTROL_TOKEN_FILE": "f"], "controlToken: t\ncontrolTokenFile: f\n"
    ),
  ])
  func `two options that exclude each other are an error in each source`(
    flags: [String], variables: [String: String], file: String
  ) async throws {
    let keys = file.split(separator: "\n").map { "\($0.prefix { $0 != ":" }) in " }
    for (failure, names, code) in [
      (try await Trial().failure(["--ephemeral"] + flags), flags.filter { $0.hasPrefix("--") }, EX_USAGE),
      (try await Trial().failure(["--ephemeral"], environment: variables), Array(variables.keys), EX_CONFIG),
      (try await Trial.failure(ofFile: file), keys, EX_CONFIG),
    ] {
      #expect(failure?.code == code)
      for name in names { #expect(failure?.message.contains(name) == true, "\(name)") }
    }
  }

  @Test func `a state folder of an ephemeral server is a usage error`() async throws {
    let failure = try await Trial().failure(["--ephemeral", "--state", "state"])
    #expect(failure?.code == EX_USAGE)
    #expect(failure?.message.contains("--ephemeral") == true && failure?.message.contains("--state") == true)
  }

  @Test func `state within the served folder is a usage error`() async throws {
    let trial = try Trial()
    let failure = try await trial.failure(["--root", trial.folder, "--state", trial.path("state")])
    #expect(failure?.code == EX_USAGE)
    #expect(failure?.message.contains("--state") == true && failure?.message.contains(trial.folder) == true)
  }

  @Test func `a catalogue that does not exist is named`() async throws {
    let failure = try await Trial().failure(["--ephemeral", "--catalog", "/does/not/exist.storekit"])
    #expect(failure?.code == EX_NOINPUT)
    #expect(failure?.message.contains("/does/not/exist.storekit") == true)
  }

  @Test(arguments: ["--catalog", "--config"])
  func `a folder in place of a file is named`(option: String) async throws {
    let trial = try Trial()
    let failure = try await trial.failure(["--ephemeral", option, trial.folder])
    #expect(failure?.code == EX_NOINPUT)
    #expect(failure?.message.contains("\(trial.folder) is a folder") == true)
  }

  @Test(arguments: [
    ("", EX_DATAERR, "empty"), ("\r\n\n", EX_DATAERR, "empty"), ("two words\n", EX_DATAERR, "not a bearer token"),
    ("two\nlines\n", EX_DATAERR, "not a bearer token"), (nil, EX_NOINPUT, "cannot be read"),
  ])
  func `a file without a control token is named, and its text is not`(
    text: String?, code: Int32, part: String
  ) async throws {
    let trial = try Trial(files: text.map { ["token": $0] } ?? [:])
    let failure = try #require(try await trial.failure(["--ephemeral", "--control-token-file", trial.path("token")]))
    #expect(failure.code == code)
    #expect(failure.message.contains(trial.path("token")) && failure.message.contains(part))
    #expect(!failure.message.contains("words") && !failure.message.contains("lines"))
  }

  @Test(arguments: [
    (nil, EX_NOINPUT, "cannot be read"), ("{", EX_DATAERR, "is not valid JSON"),
    ("{}", EX_DATAERR, "must be a session that Footbridge has exported"),
    (
      #"{"format": "footbridge-session", "version": 9, "session": {}}"#, EX_DATAERR,
      "is 9. This server reads version 1."
    ),
  ])
  func `a session that cannot be imported is named`(text: String?, code: Int32, part: String) async throws {
    let trial = try Trial(files: text.map { ["session.json": $0] } ?? [:])
    let failure = try #require(try await trial.failure(["--ephemeral", "--import", trial.path("session.json")]))
    #expect(failure.code == code)
    #expect(failure.message.contains(part) && failure.message.contains(trial.path("session.json")))
    #expect(!failure.message.contains("\n"))
  }
}
