import Testing

@testable import WebServer

@Suite struct HTTP2PoolStateMachineTests {
  private final class Name: Sendable {}
  private let one = Name()
  private let two = Name()
  private var first: ObjectIdentifier { ObjectIdentifier(one) }
  private var second: ObjectIdentifier { ObjectIdentifier(two) }

  @Test func `requests wait for the first connection, which may carry them all`() {
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

  @Test func `a connection without room gets another one beside it`() {
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

  @Test func `a connection that ends is replaced for those that wait`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.connected(first, room: 1, isPending: true)
    _ = machine.changed(first, room: 0, isPending: true)
    #expect(machine.added().isEmpty)
    #expect(machine.ended(first) == [.connect])
    #expect(machine.ended(first).isEmpty)
    #expect(machine.changed(first, room: 5, isPending: false).isEmpty)
  }

  @Test func `an origin of HTTP/1 makes nobody wait for another's connection`() {
    var machine = HTTP2PoolStateMachine()
    #expect(machine.added() == [.connect])
    #expect(machine.added().isEmpty)
    #expect(machine.added().isEmpty)
    #expect(machine.connectedHTTP1() == [.beginOnHTTP1, .connect, .connect])
    #expect(machine.added() == [.connect])
    #expect(machine.connectedHTTP1() == [.beginOnHTTP1])
  }

  @Test func `an origin that learns HTTP/2 has its requests on one connection from then on`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.connectedHTTP1()
    #expect(machine.added() == [.connect])
    #expect(machine.connected(first, room: 1, isPending: false) == [.begin(on: first)])
    #expect(machine.changed(first, room: 4, isPending: false).isEmpty)
    #expect(machine.added() == [.begin(on: first)])
  }

  @Test func `a connection that cannot be made fails those that wait for it, and the next request tries again`() {
    var machine = HTTP2PoolStateMachine()
    _ = machine.added()
    _ = machine.added()
    #expect(machine.connectionFailed() == [.failWaiting])
    #expect(machine.added() == [.connect])
  }
}
