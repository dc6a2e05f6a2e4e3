import Sessions
import Testing

@testable import Cluster
@testable import Footbridge

@Suite struct UnreachableReplicasTests {
  private let one = Replica(id: "1", address: "one:80")
  private let two = Replica(id: "2", address: "two:80")
  private var unreachable = UnreachableReplicas()

  @Test mutating func `every request may try a replica without a known failure`() {
    let answers = [unreachable.mayTry(one, at: 1), unreachable.mayTry(one, at: 1)]
    #expect(answers == [true, true])
  }

  @Test mutating func `one request per pause may try an unreachable replica`() {
    unreachable.failed(one, at: 1)
    let early = unreachable.mayTry(one, at: UnreachableReplicas.pause)
    let first = unreachable.mayTry(one, at: UnreachableReplicas.pause + 1)
    let second = unreachable.mayTry(one, at: UnreachableReplicas.pause + 1)
    let other = unreachable.mayTry(two, at: 2)
    #expect(!early)
    #expect(first)
    #expect(!second)
    #expect(other)
  }

  @Test mutating func `every request may try a replica that has answered again`() {
    unreachable.failed(one, at: 1)
    unreachable.forget(one)
    let answers = [unreachable.mayTry(one, at: 2), unreachable.mayTry(one, at: 2)]
    #expect(answers == [true, true])
  }
}
