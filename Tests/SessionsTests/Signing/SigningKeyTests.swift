import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@testable import Sessions

@Suite struct SigningKeyTests {
  private static let fileName = "key.pem"

  private let folder = FileManager.default.temporaryDirectory.appending(path: "footbridge-" + UUID().uuidString).path

  private var file: String { folder + "/" + Self.fileName }

  private func withState(_ body: (StateDirectory) async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(try StateDirectory(path: folder))
  }

  @Test func `a history is a compact JWS that verifies with the public key`() async throws {
    let signer = try SigningKey(state: nil, fileName: Self.fileName)
    let payload: JSONValue = ["transactions": [["price": 499, "product_id": "remove/ads", "revocation_date": nil]]]
    let parts = await signer.sign(payload).split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let header = try JSONValue(parsing: try #require(Base64URL.decode(parts[0])))
    #expect(header == ["alg": "ES256", "kid": .string(signer.keyID), "typ": "JWT"])
    #expect(try JSONValue(parsing: try #require(Base64URL.decode(parts[1]))) == payload)

    let jwk = try #require(signer.publicKeys["keys"]?.arrayValue?.first)
    #expect(jwk["d"] == nil)
    #expect(
      ["kty", "crv", "kid", "use", "alg"].map { jwk[$0]?.stringValue } == ["EC", "P-256", signer.keyID, "sig", "ES256"])
    let x = try #require(Base64URL.decode(jwk["x"]?.stringValue ?? ""))
    let y = try #require(Base64URL.decode(jwk["y"]?.stringValue ?? ""))
    let signature = try #require(Base64URL.decode(parts[2]))
    #expect(OpenSSLJudge.isSignature(signature, of: parts[0] + "." + parts[1], byKeyAt: (x, y)))
    #expect(!OpenSSLJudge.isSignature(signature, of: parts[0] + "." + parts[1] + "A", byKeyAt: (x, y)))
  }

  @Test func `a payload that is not JSON is not signed`() async throws {
    let signer = try await SigningKeys(state: nil, fileName: Self.fileName, clock: ManualBridgeClock())
    await #expect(throws: JSONError.self) { try await signer.sign(payload: Array("{".utf8)) }
  }

  @Test func `claims are signed unchanged`() async throws {
    let token = try await SigningKey(state: nil, fileName: Self.fileName).sign(
      claims: ["exp": 1_760_000_900, "roles": ["a", nil], "text": "ä/\u{1F600}"])
    let payload = try #require(token.split(separator: ".").dropFirst().first.flatMap(Base64URL.decode))
    #expect(try JSONValue(parsing: payload) == ["exp": 1_760_000_900, "roles": ["a", nil], "text": "ä/\u{1F600}"])
  }

  @Test func `a key's description has only its identifier`() throws {
    let key = try SigningKey(state: nil, fileName: Self.fileName)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(text.contains(key.keyID))
      #expect(text.count < 400)
    }
    #expect(Mirror(reflecting: key).children.count == 1)
  }

  @Test func `a key is created once per state directory, readable by its user only`() async throws {
    try await withState { state in
      let first = try SigningKey(state: state, fileName: Self.fileName)
      #expect(try SigningKey(state: state, fileName: Self.fileName).keyID == first.keyID)
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [Self.fileName])
    }
  }

  @Test func `a key of an earlier version is read`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = try StateDirectory(path: folder)
    try state.write(Data(FormerFiles.signingKey.utf8), to: Self.fileName)
    #expect(
      try SigningKey(state: state, fileName: Self.fileName).keyID == "dVpzUyxoK-rbnA5HAz_2ZTNvZdctNoaANFcKFMmCemo")
  }

  @Test func `without a state directory each process has its own key`() throws {
    #expect(
      try SigningKey(state: nil, fileName: Self.fileName).keyID != SigningKey(state: nil, fileName: Self.fileName).keyID
    )
  }

  @Test func `servers that start together over a new directory share a key`() async throws {
    try await withState { state in
      let keyIDs = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 { group.addTask { try SigningKey(state: state, fileName: Self.fileName).keyID } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(keyIDs.count == 1)
    }
  }

  @Test(arguments: ["nothing", "a word", "a key of another curve", "a public key"])
  func `the error about a broken key file names it, and the file is not changed`(kind: String) async throws {
    let content =
      switch kind {
      case "nothing": ""
      case "a word": "hello"
      case "a key of another curve": FormerFiles.keyOnP384
      default: FormerFiles.publicKey
      }
    try await withState { state in
      try content.write(toFile: file, atomically: true, encoding: .utf8)
      do {
        _ = try SigningKey(state: state, fileName: Self.fileName)
        Issue.record("a broken key was accepted")
      } catch let error as StateError {
        #expect(error.description.contains(file))
        #expect(error.description.contains("P-256"))
        #expect(content.isEmpty || !error.description.contains(content))
      }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
    }
  }
}
