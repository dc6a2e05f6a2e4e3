import BridgeCore

extension QueuedTransaction: OnsideStored {
  /// The transaction as JSON text, which its `Decodable` reads.
  public var storedText: [UInt8] { makeStoredText() }

  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"transaction":"#, stored: transaction)
    writer.write(literal: #","accountID":"#, accountID)
    writer.write(literal: #","stage":"#, stage.rawValue)
    writer.write(literal: needsAnnouncement ? #","needsAnnouncement":true"# : #","needsAnnouncement":false"#)
    writer.write(literal: #","agreedCountryCode":"#, agreedCountryCode)
    writer.write(literal: "}")
  }
}

extension OnsidePurchase: OnsideStored {
  /// The order as JSON text, which its `Decodable` reads.
  public var storedText: [UInt8] { makeStoredText() }

  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","originalID":"#, originalID)
    writer.write(literal: #","accountID":"#, accountID)
    writer.write(literal: #","productIdentifier":"#, productIdentifier)
    writer.write(literal: #","type":"#, type.rawValue)
    writer.write(literal: #","groupIdentifier":"#, groupIdentifier)
    writer.write(literal: #","price":"#, stored: price)
    writer.write(literal: #","countryCode":"#, countryCode)
    writer.write(literal: #","appAccountToken":"#, appAccountToken)
    writer.write(literal: #","reason":"#, reason.rawValue)
    writer.write(literal: #","purchasedAt":"#, purchasedAt)
    writer.write(literal: #","originalPurchasedAt":"#, originalPurchasedAt)
    writer.write(literal: #","expiresAt":"#, expiresAt)
    writer.write(literal: #","revokedAt":"#, revokedAt)
    writer.write(literal: #","revocationReason":"#, revocationReason)
    writer.write(literal: "}")
  }
}

extension OnsidePaymentTransaction: OnsideStored {
  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","transactionIdentifier":"#, transactionIdentifier)
    writer.write(literal: #","originalTransactionIdentifier":"#, originalTransactionIdentifier)
    writer.write(literal: #","payment":{"product":"#, stored: payment.product)
    writer.write(literal: #","appAccountToken":"#, payment.appAccountToken)
    writer.write(literal: #"},"transactionState":"#, transactionState.rawValue)
    // The contract has the same form.
    writer.write(literal: #","storefront":"#, storefront)
    writer.write(literal: #","error":"#, error?.rawValue)
    writer.write(literal: "}")
  }
}

extension OnsideProduct: OnsideStored {
  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"productIdentifier":"#, productIdentifier)
    writer.write(literal: #","localizedTitle":"#, localizedTitle)
    writer.write(literal: #","localizedDescription":"#, localizedDescription)
    writer.write(literal: #","iconURL":"#, iconURL)
    writer.write(literal: #","subscriptionGroupIdentifier":"#, subscriptionGroupIdentifier)
    writer.write(literal: #","subscriptionPeriod":"#, subscriptionPeriod?.iso8601)
    writer.write(literal: #","price":"#, stored: price)
    writer.write(literal: #","introductoryPrice":"#, stored: introductoryPrice)
    writer.write(literal: #","discountedPrice":"#, stored: discountedPrice)
    writer.write(literal: "}")
  }
}

extension OnsidePrice: OnsideStored {
  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"value":"#, text)
    writer.write(literal: #","currencyCode":"#, currencyCode)
    writer.write(literal: "}")
  }
}

extension OnsidePricePeriod: OnsideStored {
  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"price":"#, stored: price)
    writer.write(literal: #","period":"#, period.iso8601)
    writer.write(literal: "}")
  }
}
