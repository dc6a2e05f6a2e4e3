import Testing

@testable import Cluster
@testable import Sessions

@Suite struct PostgreSQLAddressTests {
  @Test(arguments: [
    ("postgresql://me:secret@db.example:5433/shop?sslmode=require", "postgresql://me@db.example:5433/shop"),
    ("postgres://me@/shop?host=/run/postgresql&password=secret", "postgresql://me@%2Frun%2Fpostgresql/shop"),
    ("postgresql://[::1]/a%20b", "postgresql://[::1]/a%20b"), ("postgresql://", "postgresql:///"),
    ("postgresql:///?service=the%20shop&password=secret", "postgresql:///?service=the%20shop"),
  ])
  func `the description of a PostgreSQL address names the database and hides the password`(url: String, text: String)
    throws
  {
    let address = try PostgreSQLAddress(url)
    #expect(address.description == text)
    #expect(!String(reflecting: address).contains("secret"))
    var dumped = ""
    dump(address, to: &dumped)
    #expect(!dumped.contains("secret"))
  }

  @Test(arguments: [
    "postgresql://me:secret@[::1/x", "postgresql://me:se%zzcret@host/x", "postgresql://me:s@secret@host/x?no=1",
    "postgresql://host/x?password=secret&wrong=1",
  ])
  func `the error about a wrong PostgreSQL address hides the password`(url: String) {
    let error = #expect(throws: StateError.self) { try PostgreSQLAddress(url) }
    #expect(error?.description.contains("cret") == false)
    #expect(error?.description.contains("not the address of a PostgreSQL database") == true)
  }

  @Test func `a folder is not taken for a PostgreSQL address`() {
    #expect(!PostgreSQLAddress.isOne("/var/lib/postgresql"))
    #expect(PostgreSQLAddress.isOne("PostgreSQL://host/x"))
  }

  @Test func `parameters are numbered for PostgreSQL`() {
    #expect(PostgreSQLConnection.numbered("SELECT ? WHERE a = ?") == "SELECT $1 WHERE a = $2")
    #expect(PostgreSQLConnection.numbered("a = ?1 OR b IN (?1, ?2)") == "a = $1 OR b IN ($1, $2)")
    #expect(PostgreSQLConnection.numbered("no parameter") == "no parameter")
  }
}

@Suite struct ReconnectionTests {
  @Test func `a reconnection waits at first, and gives up at once after its timeout`() {
    var reconnection = Reconnection()
    #expect(reconnection.step(at: 0, waitsWithoutLimit: false) == .connect)
    reconnection.failed(at: 0)
    #expect(reconnection.step(at: 0, waitsWithoutLimit: false) == .wait(50_000_000))
    #expect(reconnection.step(at: 50_000_000, waitsWithoutLimit: false) == .connect)
    var time = 0
    while time < Reconnection.timeout {
      time += 1_000_000_000
      reconnection.failed(at: time)
    }
    #expect(reconnection.step(at: time, waitsWithoutLimit: false) == .giveUp)
    #expect(reconnection.step(at: time, waitsWithoutLimit: true) == .wait(1_600_000_000))
    #expect(reconnection.step(at: time + 1_600_000_000, waitsWithoutLimit: false) == .connect)
    reconnection.succeeded()
    #expect(reconnection.step(at: time, waitsWithoutLimit: false) == .connect)
  }

  @Test func `the pauses of a reconnection grow to two seconds`() {
    var reconnection = Reconnection()
    let pauses = (0..<8).map { _ in
      reconnection.failed(at: 0)
      guard case .wait(let pause) = reconnection.step(at: 0, waitsWithoutLimit: true) else { return 0 }
      return pause / 1_000_000
    }
    #expect(pauses == [50, 100, 200, 400, 800, 1600, 2000, 2000])
  }
}
