import BridgeCore

extension OnsidePrice: OnsideValue {
  /// Writes the contract's `JSPrice`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"currencyCode":"#, currencyCode)
    writer.write(literal: #","value":"#)
    writer.write(doubleValue)
    writer.write(literal: "}")
  }
}

extension OnsidePeriod: OnsideValue {
  /// Writes the contract's `JSPeriod`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"numberOfUnits":"#)
    writer.write(Double(numberOfUnits))
    writer.write(literal: #","unit":"#, unit)
    writer.write(literal: "}")
  }
}

extension OnsidePricePeriod: OnsideValue {
  /// Writes the contract's `JSPricePeriod`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"period":"#, period)
    writer.write(literal: #","price":"#, price)
    writer.write(literal: "}")
  }
}

extension OnsideProduct: OnsideValue {
  /// Writes the contract's `JSProduct`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"productIdentifier":"#, productIdentifier)
    writer.write(literal: #","localizedTitle":"#, localizedTitle)
    writer.write(literal: #","localizedDescription":"#, localizedDescription)
    writer.write(literal: #","iconUrl":"#, iconURL)
    writer.write(literal: #","subscriptionGroupIdentifier":"#, subscriptionGroupIdentifier)
    writer.write(literal: #","subscriptionPeriod":"#, subscriptionPeriod)
    writer.write(literal: #","price":"#, price)
    writer.write(literal: #","introductoryPrice":"#, introductoryPrice)
    writer.write(literal: #","discountedPrice":"#, discountedPrice)
    writer.write(literal: "}")
  }
}

extension OnsideStorefront: OnsideValue {
  /// Writes the contract's `JSStorefront`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","countryCode":"#, countryCode)
    writer.write(literal: "}")
  }
}

extension OnsidePayment: OnsideValue {
  /// Writes the contract's `JSPayment`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"product":"#, product)
    writer.write(literal: #","appAccountToken":"#, appAccountToken)
    writer.write(literal: "}")
  }
}

extension OnsidePaymentTransaction: OnsideValue {
  /// Writes the contract's `JSPaymentTransaction`.
  func write(to writer: inout JSONWriter) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","transactionIdentifier":"#, transactionIdentifier)
    writer.write(literal: #","originalTransactionIdentifier":"#, originalTransactionIdentifier)
    writer.write(literal: #","payment":"#, payment)
    writer.write(literal: #","transactionState":"#, transactionState.rawValue)
    writer.write(literal: #","storefront":"#, storefront)
    if let error {
      writer.write(literal: #","error":{"#, error.rawValue)
      writer.write(literal: ":{}}")
    }
    writer.write(literal: "}")
  }
}

extension [OnsidePaymentTransaction] {
  /// The object that callbacks and `getTransactions` have: `{ transactions }`.
  var membersText: [UInt8] {
    var writer = JSONWriter()
    // A transaction has about so many bytes.
    writer.bytes.reserveCapacity(32 + 640 * count)
    writer.write(literal: #"{"transactions":["#)
    for (index, transaction) in enumerated() {
      if index > 0 { writer.write(literal: ",") }
      transaction.write(to: &writer)
    }
    writer.write(literal: "]}")
    return writer.bytes
  }
}
