import Testing

@testable import Delivery

@Suite struct CallTableTests {
  private func call(_ id: Int) -> CallTable.Call { CallTable.Call(CallID("\(id)"), request: 1, connection: 1) }

  /// Adds a call that is answered and whose answer is forgotten.
  ///
  /// - Parameter isCovered: Whether a series shows that the call was used before.
  private func pass(_ id: Int, isCovered: Bool = false, in table: inout CallTable) {
    let position = table.append(call(id))
    #expect(table.answer(position, with: [1, 2, 3], number: id) == 0)
    #expect(table.forgetAnswer(position, number: id, isCovered: isCovered)?.byteCount == 3)
  }

  @Test func `each of thousands of calls is found by its id, until it is removed`() {
    var table = CallTable()
    for id in 0..<5000 { table.append(call(id)) }
    for id in stride(from: 0, to: 5000, by: 3) {
      if let position = table.position(of: CallID("\(id)")) { table.remove(position) }
    }
    for id in 0..<5000 {
      let position = table.position(of: CallID("\(id)"))
      #expect(position.map { table[$0].id } == (id % 3 == 0 ? nil : CallID("\(id)")))
    }
  }

  @Test func `the latest forgotten calls are remembered up to the limit`() {
    var table = CallTable()
    let count = CallTable.forgottenLimit + 1000
    for id in 0..<count { pass(id, in: &table) }
    for id in 0..<count {
      let state = table.position(of: CallID("\(id)")).map { table[$0].state }
      #expect(state == (id < 1000 ? nil : .forgotten))
    }
  }

  @Test(arguments: [false, true]) func `an open call is retained after any number of later calls`(isCovered: Bool) {
    var table = CallTable()
    table.append(call(-1))
    for id in 0..<(3 * CallTable.forgottenLimit) { pass(id, isCovered: isCovered, in: &table) }
    #expect(table.position(of: CallID("-1")).map { table[$0].state } == .open)
    #expect(Array(table.all).count <= CallTable.forgottenLimit + 2)
  }

  @Test func `a forgotten call is retained after any number of removed calls`() {
    var table = CallTable()
    pass(-1, in: &table)
    for id in 0..<(3 * CallTable.forgottenLimit) { pass(id, isCovered: true, in: &table) }
    #expect(table.position(of: CallID("-1")).map { table[$0].state } == .forgotten)
    #expect(Array(table.all).count <= 3)
  }

  @Test func `forgetAnswer forgets only the last answer of a call`() {
    var table = CallTable()
    let position = table.append(call(0))
    #expect(table.answer(position, with: [1], number: 0) == 0)
    #expect(table.answer(position, with: [1, 2], number: 1) == 1)
    #expect(table.forgetAnswer(position, number: 0, isCovered: false) == nil)
    #expect(table[position].answer == [1, 2])
    #expect(table.forgetAnswer(position, number: 1, isCovered: false)?.byteCount == 2)
    #expect(table[position].state == .forgotten)
  }
}
