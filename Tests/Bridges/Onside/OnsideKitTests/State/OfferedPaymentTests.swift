import BridgeCore
import BridgeRuntime
import Essentials
import Testing

@testable import OnsideKit

@Suite struct OfferedPaymentTests {
  @Test func `a stored transaction has the offer of its payment and of what the person agreed to`() throws {
    let price = OnsidePrice(value: 2, currencyCode: "EUR")
    let product = OnsideProduct(productIdentifier: "pro", localizedTitle: "", localizedDescription: "", price: price)
    var payment = OnsidePayment(product: product)
    payment.offerID = "half"
    let transaction = OnsidePaymentTransaction(
      id: UUID(BridgeRandom(seed: 1)), payment: payment, transactionState: .purchasing,
      storefront: OnsideStorefront(id: "1", countryCode: "DE"))
    var entry = QueuedTransaction(payment: transaction, accountID: "eva")
    _ = entry.begin()
    _ = entry.agree(to: OnsideCharge(price: price, isIntroductory: false, offerID: "half"))
    let read = try JSONDecoder().decode(QueuedTransaction.self, from: Data(entry.storedText))
    #expect(read == entry)
    #expect(read.charge?.offerID == "half")
    #expect(read.transaction.payment.offerID == "half")
    // Pages do not see it: the contract has no such member.
    #expect(payment.json["offerID"] == nil)
  }
}
