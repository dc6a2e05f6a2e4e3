import Testing

@testable import OnsideKit

struct PaymentQueueMachineTests {
  private let storefront = OnsideStorefront(id: "s", countryCode: "DE")

  private func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }

  private func transaction(_ id: UUID) -> OnsidePaymentTransaction {
    OnsidePaymentTransaction(
      id: id,
      payment: OnsidePayment(
        product: OnsideProduct(
          productIdentifier: "p", localizedTitle: "", localizedDescription: "",
          price: OnsidePrice(value: 1, currencyCode: "EUR"))),
      transactionState: .purchasing, storefront: storefront)
  }

  private func entry(_ id: UUID) -> QueuedTransaction { QueuedTransaction(payment: transaction(id), accountID: "a") }

  @Test func `without an observer nothing is told or started, with the first one all of it is`() {
    var machine = PaymentQueueMachine()
    expectEqual(machine.add(entry(id(1))), [])
    expectEqual(machine.add(entry(id(2))), [])
    expectEqual(machine.resume(), [.updated([transaction(id(1)), transaction(id(2))]), .process(id: id(1))])
    expectEqual(machine.resume(), [])
  }

  @Test func `without the last observer what ends is told to the next one`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    _ = machine.add(entry(id(1)))
    machine.pause()
    expectEqual(machine.step(id(1)) { $0.fail(.cancelled) }, [])
    guard case .updated(let news)? = machine.resume().first else {
      Issue.record("Nothing was told.")
      return
    }
    expectEqual(news.map(\.transactionState), [.failed])
  }

  @Test func `one transaction is processed at a time, in order`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    expectEqual(machine.add(entry(id(1))).last, .process(id: id(1)))
    expectEqual(machine.add(entry(id(2))), [.updated([transaction(id(2))])])
    expectEqual(machine.step(id(1)) { $0.fail(.cancelled) }?.last, .process(id: id(2)))
  }

  @Test func `who waits for approval or is interrupted does not hold up the others`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    _ = machine.add(entry(id(1)))
    _ = machine.add(entry(id(2)))
    _ = machine.add(entry(id(3)))
    expectEqual(machine.step(id(1)) { $0.askForApproval() }, [.process(id: id(2))])
    expectEqual(machine.step(id(2)) { $0.send(orderID: "o") }, [])
    expectEqual(machine.step(id(2)) { $0.interrupt() }, [.process(id: id(3))])
    expectEqual(machine.step(id(1)) { $0.send(orderID: "o") }, [])
    expectEqual(machine.step(id(3)) { $0.fail(.cancelled) }?.last, .process(id: id(1)))
  }

  @Test func `steps that the life of a transaction does not have are impossible`() {
    var transaction = entry(id(1))
    expectEqual(transaction.complete(orderID: "o", originalID: nil), false)
    expectEqual(transaction.send(orderID: "o"), false)
    expectEqual(transaction.interrupt(), false)
    expectEqual(transaction.begin(), true)
    expectEqual(transaction.begin(), false)
    expectEqual(transaction.send(orderID: "o"), true)
    expectEqual(transaction.send(orderID: "other"), false)
    expectEqual(transaction.askForApproval(), false)
    expectEqual(transaction.complete(orderID: "o", originalID: nil), true)
    expectEqual(transaction.fail(.cancelled), false)
    expectEqual(transaction.complete(orderID: "o", originalID: nil), false)
    expectEqual(transaction.transaction.transactionIdentifier, "o")
  }

  @Test func `finishing depends on how far a transaction has come`() {
    var queued = entry(id(1))
    expectEqual(queued.finish(), .removeNow)
    var paying = entry(id(2))
    _ = paying.begin()
    expectEqual(paying.finish(), .removeNow)
    _ = paying.send(orderID: "o")
    expectEqual(paying.finish(), .none)
    _ = paying.complete(orderID: "o", originalID: nil)
    expectEqual(paying.finish(), .removeAfterCompletion)
    expectEqual(paying.finish(), .none)
  }

  @Test func `a removed transaction is stopped when it was under way, and the next one starts`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    _ = machine.add(entry(id(1)))
    _ = machine.add(entry(id(2)))
    expectEqual(machine.remove(id(1)), [.stop(id: id(1)), .removed([transaction(id(1))]), .process(id: id(2))])
    expectEqual(machine.remove(id(1)), [])
  }

  @Test func `a new launch starts over what was not sent, goes on with what was, and forgets what was finished`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    for number in [1, 2, 3] as [UInt8] { _ = machine.add(entry(id(number))) }
    _ = machine.step(id(1)) { $0.fail(.cancelled) }
    _ = machine.finish(id(1))
    _ = machine.step(id(2)) { $0.send(orderID: "o") }
    let next = OnsideStorefront(id: "t", countryCode: "DE")
    var carriedOver = PaymentQueueMachine(carriedOver: machine.entries, storefront: next)
    expectEqual(carriedOver.entries.map(\.transaction.id), [id(2), id(3)])
    expectEqual(carriedOver.entries.map(\.transaction.storefront), [next, next])
    expectEqual(carriedOver.resume().last, .process(id: id(2)))
    expectEqual(carriedOver[id(2)]?.stage, .paying)
  }
}
