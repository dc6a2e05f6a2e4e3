import Testing

@testable import Footbridge

@Suite struct PageDeliveryTests {
  @Test func `a request is handled once, waits while it is handled, and is then answered again`() {
    var delivery = PageDelivery()
    #expect(delivery.request("a") == .handle)
    #expect(delivery.request("a") == .wait)
    delivery.answered("a", [1])
    #expect(delivery.request("a") == .answer([1]))
    #expect(delivery.request("b") == .handle)
  }

  @Test func `what the page has not received is sent again in order, and only that`() {
    var delivery = PageDelivery()
    for byte in UInt8(1)...5 { delivery.sent(delivery.nextSequence(), [byte]) }
    #expect(delivery.resume(after: 3) == [[4], [5]])
    #expect(delivery.resume(after: 3) == [[4], [5]])
    #expect(delivery.resume(after: 5) == [])
    #expect(delivery.nextSequence() == 6)
  }

  @Test func `a page that has received nothing gets everything`() {
    var delivery = PageDelivery()
    delivery.sent(delivery.nextSequence(), [1])
    #expect(delivery.resume(after: 0) == [[1]])
  }

  @Test func `an id that the page chose may be used again, and is the same request only on a new connection`() {
    var delivery = PageDelivery()
    delivery.connected()
    #expect(delivery.pageRequest("1") == .handle)
    #expect(delivery.pageRequest("1") == .handle)
    delivery.connected()
    #expect(delivery.pageRequest("1") == .wait)
    delivery.answered("1", [1])
    #expect(delivery.pageRequest("1") == .handle)
    delivery.answered("1", [2])
    delivery.connected()
    #expect(delivery.pageRequest("1") == .answer([2]))
    #expect(delivery.pageRequest("1") == .handle)
  }

  @Test func `what is kept of a request that was acknowledged is its result`() {
    var delivery = PageDelivery()
    #expect(delivery.request("a") == .handle)
    delivery.answered("a", [1])
    delivery.answered("a", [2])
    #expect(delivery.request("a") == .answer([2]))
  }

  @Test func `memory is bounded: the oldest messages and answers make room`() {
    var delivery = PageDelivery()
    for number in 0..<10_000 {
      delivery.sent(delivery.nextSequence(), [0])
      _ = delivery.request("\(number)")
      delivery.answered("\(number)", [0])
    }
    #expect(delivery.resume(after: 0).count == PageDelivery.messageLimit)
    #expect(delivery.request("9999") == .answer([0]))
    #expect(delivery.request("0") == .handle)
    delivery.sent(delivery.nextSequence(), [UInt8](repeating: 0, count: PageDelivery.byteLimit + 1))
    #expect(delivery.resume(after: 0).count == 1)
  }
}
