import BridgeRuntime
import Testing

@BridgeActor
struct RoundTripsTests {
  @Test func `round trips end in the order in which they have begun`() async {
    let trips = RoundTrips(.milliseconds(5))
    var ended: [Int] = []
    let tasks = (0..<20).map { number in
      BridgeActor.begin {
        await trips.wait()
        ended.append(number)
      }
    }
    for task in tasks { await task.value }
    #expect(ended.count == 20 && ended == ended.sorted())
    // The next ones begin anew.
    await trips.wait()
  }

  @Test func `requests of one turn begin before a round trip ends`() async {
    let trips = RoundTrips(.milliseconds(1))
    var order: [String] = []
    let first = Task {
      await trips.wait()
      order.append("answer")
    }
    for _ in 0..<100 { Task { order.append("call") } }
    await first.value
    #expect(order.last == "answer" && order.count == 101)
  }

  @Test func `a round trip without a duration takes no turn`() async {
    var isOver = false
    let task = Task {
      await RoundTrips(.zero).wait()
      isOver = true
    }
    await Task.yield()
    #expect(isOver)
    await task.value
  }

  @Test func `a turn has read everything that had come before it began`() async {
    let first = Task { await BridgeExecutor.shared.turn() }
    await BridgeExecutor.shared.turn()
    await first.value
  }
}
