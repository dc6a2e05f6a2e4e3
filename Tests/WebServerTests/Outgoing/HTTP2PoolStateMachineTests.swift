import Testing

@testable import WebServer

@Suite struct HTTP2PoolStateMachineTests {
  private final class Name: Sendable {}
  private let one = Name()
  private let two = Name()
  private var first: ObjectIdentifier { ObjectIdentifier(one) }
  private var second: ObjectIdentifier { ObjectIdentifier(two) }

  @Test func `requests wait for the first HTTP/2 connection and share it`() {
    var machine = HTTP2PoolStateMachine()
    #expect(machine.added() == [.connect])
    #expect(machine.added().isEmpty)
    #expect(machine.added().isEmpty)
    #expect(machine.connected(first, room: 1, isPending: true) == [.begin(on: first)])
    #expect(machine.changed(first, room: 0, isPending: true).isEmpty, "its settings may allow more")
    #expect(machine.changed(first, room: 9, isPending: false) == [.begin(on: first)])
    #expect(machine.changed(first, room: 8, isPending: false) == [.begin(on: first)])
    #expect(machine.changed(first, room: 7, isPending: false).isEmpty)
    #expect(machine.added() == [.begin(on: first)])
  }

  @Test func `a full HTTP/2 connection gets another one beside it`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.connected(first, room: 1, isPending: true)
    _ = machine.changed(first, room: 0, isPending: false)
    #expect(machine.added() == [.connect])
    #expect(machine.added().isEmpty)
    #expect(machine.connected(second, room: 1, isPending: true) == [.begin(on: second)])
    #expect(machine.changed(second, room: 0, isPending: true).isEmpty)
    #expect(machine.changed(first, room: 1, isPending: false) == [.begin(on: first)])
  }

  @Test func `an ended HTTP/2 connection is replaced for the waiting requests`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.connected(first, room: 1, isPending: true)
    _ = machine.changed(first, room: 0, isPending: true)
    #expect(machine.added().isEmpty)
    #expect(machine.ended(first) == [.connect])
    #expect(machine.ended(first).isEmpty)
    #expect(machine.changed(first, room: 5, isPending: false).isEmpty)
  }

  @Test func `each request to an HTTP/1 origin gets a connection of its own`() {
    var machine = HTTP2PoolStateMachine()
    #expect(machine.added() == [.connect])
    #expect(machine.added().isEmpty)
    #expect(machine.added().isEmpty)
    #expect(machine.connectedHTTP1() == [.beginOnHTTP1, .connect, .connect])
    #expect(machine.added() == [.connect])
    #expect(machine.connectedHTTP1() == [.beginOnHTTP1])
  }

  @Test func `an origin that starts to offer HTTP/2 gets later requests on one connection`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.connectedHTTP1()
    #expect(machine.added() == [.connect])
    #expect(machine.connected(first, room: 1, isPending: false) == [.begin(on: first)])
    #expect(machine.changed(first, room: 4, isPending: false).isEmpty)
    #expect(machine.added() == [.begin(on: first)])
  }

  @Test func `a failed connection fails the waiting requests, and the next request tries again`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.added()
    #expect(machine.connectionFailed() == [.failWaiting])
    #expect(machine.added() == [.connect])
  }
}
