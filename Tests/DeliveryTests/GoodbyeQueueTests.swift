import Testing

@testable import Delivery

@Suite struct GoodbyeQueueTests {
  private func body(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }

  /// What is taken after each of these requests has come.
  private func received(_ numbers: [Int], first: Int = 0) -> [[[UInt8]]] {
    var order = GoodbyeQueue()
    return numbers.map {
      order.arrived($0, first: first, body($0))
      return order.takeReady()
    }
  }

  @Test func `goodbye requests in order are returned at once`() {
    #expect(received([0, 1, 2]) == [[body(0)], [body(1)], [body(2)]])
  }

  @Test func `a goodbye request that overtakes another one waits for it`() {
    #expect(received([2, 0, 1, 3]) == [[], [body(0)], [body(1), body(2)], [body(3)]])
  }

  @Test func `a goodbye request that arrives twice is returned once`() {
    #expect(received([0, 0, 1, 1, 0]) == [[body(0)], [], [body(1)], [], []])
  }

  @Test func `the first request of a later or forgotten goodbye does not wait`() {
    #expect(received([7], first: 7) == [[body(7)]])
    #expect(received([8, 7], first: 7) == [[], [body(7), body(8)]])
  }

  @Test func `a request of an earlier goodbye is returned once after a later goodbye`() {
    var order = GoodbyeQueue()
    order.arrived(0, first: 0, body(0))
    #expect(order.takeReady() == [body(0)])
    order.arrived(2, first: 2, body(2))
    #expect(order.takeReady() == [body(2)])
    order.arrived(1, first: 0, body(1))
    order.arrived(1, first: 0, body(1))
    #expect(order.takeReady() == [body(1)])
    order.arrived(1, first: 0, body(1))
    #expect(order.takeReady().isEmpty)
  }

  @Test func `takeAll gives up missing requests, which are returned if they arrive later`() {
    var order = GoodbyeQueue()
    for number in [3, 1] { order.arrived(number, first: 0, body(number)) }
    #expect(order.takeReady().isEmpty && order.isWaiting)
    #expect(order.takeAll() == [body(1), body(3)])
    #expect(!order.isWaiting)
    for number in [2, 2, 0, 3] { order.arrived(number, first: 0, body(number)) }
    #expect(order.takeReady() == [body(0), body(2)])
    #expect(order.takeAll().isEmpty)
  }

  @Test func `64 kB of small requests may wait for a slow one`() {
    let underWay = 64 << 10
    let smallest = Array(repeating: UInt8(ascii: "x"), count: 200)
    var order = GoodbyeQueue()
    for number in 1..<(underWay / smallest.count) {
      order.arrived(number, first: 0, smallest)
      #expect(!order.isFull && order.takeReady().isEmpty)
    }
    order.arrived(0, first: 0, body(0))
    #expect(order.takeReady().first == body(0))
    #expect(!order.isWaiting)
  }

  @Test func `waiting goodbye requests are limited in number and size`() {
    var many = GoodbyeQueue()
    for number in 1...GoodbyeQueue.countLimit {
      #expect(!many.isFull)
      many.arrived(number, first: 0, [])
    }
    #expect(many.isFull)
    var large = GoodbyeQueue()
    for number in 1...2 {
      #expect(!large.isFull)
      large.arrived(number, first: 0, Array(repeating: 0, count: GoodbyeQueue.byteLimit / 2))
    }
    #expect(large.isFull)
  }

  @Test func `a request number far ahead uses no memory`() {
    var order = GoodbyeQueue()
    order.arrived(1 << 20, first: 1 << 20, body(1))
    #expect(order.takeReady() == [body(1)])
    order.arrived(0, first: 0, body(0))
    #expect(order.takeReady().isEmpty)
  }
}
