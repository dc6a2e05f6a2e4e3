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

  @Test func `a paused queue neither reports nor processes, and resume does both`() {
    var machine = PaymentQueueMachine()
    expectEqual(machine.add(entry(id(1))), [])
    expectEqual(machine.add(entry(id(2))), [])
    expectEqual(machine.resume(), [.updated([transaction(id(1)), transaction(id(2))]), .process(id: id(1))])
    expectEqual(machine.resume(), [])
  }

  @Test func `a change during a pause is reported on resume`() {
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

  @Test func `a transaction that waits for approval or is interrupted does not block the others`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    _ = machine.add(entry(id(1)))
    _ = machine.add(entry(id(2)))
    _ = machine.add(entry(id(3)))
    expectEqual(machine.step(id(1)) { $0.askForApproval() }, [.process(id: id(2))])
    expectEqual(machine.step(id(2)) { $0.send(orderID: "o") }, [])
    expectEqual(machine.step(id(2)) { $0.interrupt() }, [.process(id: id(3))])
    // Once it is approved, it waits for nobody either.
    expectEqual(machine.step(id(1)) { $0.send(orderID: "o") }, [.process(id: id(1))])
    expectEqual(machine.step(id(1)) { $0.interrupt() }, [])
    expectEqual(machine.add(entry(id(4))), [.updated([transaction(id(4))])])
    expectEqual(machine.step(id(3)) { $0.fail(.cancelled) }?.last, .process(id: id(4)))
  }

  @Test func `impossible steps of a transaction are refused`() {
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

  @Test func `finish removes a transaction now, later or not at all, by its state`() {
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

  @Test func `removing the transaction in progress stops it and processes the next one`() {
    var machine = PaymentQueueMachine()
    _ = machine.resume()
    _ = machine.add(entry(id(1)))
    _ = machine.add(entry(id(2)))
    expectEqual(machine.remove(id(1)), [.stop(id: id(1)), .removed([transaction(id(1))]), .process(id: id(2))])
    expectEqual(machine.remove(id(1)), [])
  }

  @Test func `a new launch restarts unsent transactions, resumes sent ones and drops finished ones`() {
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
