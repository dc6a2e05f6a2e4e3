import BridgeCore

/// The two JSON forms of the store's values. One writer produces both, and shows where they differ.
///
/// The control API has a third form, for people: see `docs/control-api.md`.
enum OnsideForm {
  /// For pages, as in the contract: `undefined` is an absent key.
  case contract
  /// For the store, in the form that `Decodable` reads: with the names of the Swift properties.
  case stored
}

/// A value that has both forms.
protocol OnsideValue {
  /// Writes the value.
  func write(to writer: inout JSONWriter, as form: OnsideForm)
}

extension OnsideValue {
  /// The value as text, for pages.
  var text: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, as: .contract)
    return writer.bytes
  }

  /// The value as a member of something else, for pages.
  var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}

extension OnsidePaymentTransaction: OnsideValue {
  /// `JSPaymentTransaction` of the contract. In the contract an error is an object with its case; in the store it is the name of the case.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"id":"#, id.text)
    writer.write(literal: #","transactionIdentifier":"#, transactionIdentifier)
    writer.write(literal: #","originalTransactionIdentifier":"#, originalTransactionIdentifier)
    writer.write(literal: #","payment":"#, payment, as: form)
    writer.write(literal: #","transactionState":"#, transactionState.rawValue)
    writer.write(literal: #","storefront":"#, storefront, as: form)
    if let error {
      switch form {
      case .contract:
        writer.write(literal: #","error":{"#, error.rawValue)
        writer.write(literal: ":{}}")
      case .stored: writer.write(literal: #","error":"#, error.rawValue)
      }
    }
    writer.write(literal: "}")
  }
}

extension OnsidePayment: OnsideValue {
  /// `JSPayment` of the contract.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"product":"#, product, as: form)
    writer.write(literal: #","appAccountToken":"#, appAccountToken)
    if form == .stored { writer.write(literal: #","offerID":"#, offerID) }
    writer.write(literal: "}")
  }
}

extension OnsideProduct: OnsideValue {
  /// `JSProduct` of the contract, which writes `iconUrl`.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"productIdentifier":"#, productIdentifier)
    writer.write(literal: #","localizedTitle":"#, localizedTitle)
    writer.write(literal: #","localizedDescription":"#, localizedDescription)
    switch form {
    case .contract: writer.write(literal: #","iconUrl":"#, iconURL)
    case .stored: writer.write(literal: #","iconURL":"#, iconURL)
    }
    writer.write(literal: #","subscriptionGroupIdentifier":"#, subscriptionGroupIdentifier)
    writer.write(literal: #","subscriptionPeriod":"#, subscriptionPeriod, as: form)
    writer.write(literal: #","price":"#, price, as: form)
    writer.write(literal: #","introductoryPrice":"#, introductoryPrice, as: form)
    writer.write(literal: #","discountedPrice":"#, discountedPrice, as: form)
    writer.write(literal: "}")
  }
}

extension OnsidePricePeriod: OnsideValue {
  /// `JSPricePeriod` of the contract.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"period":"#, period, as: form)
    writer.write(literal: #","price":"#, price, as: form)
    writer.write(literal: "}")
  }
}

extension OnsidePrice: OnsideValue {
  /// `JSPrice` of the contract, whose value is a number. The store keeps it as text, which is exact.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"currencyCode":"#, currencyCode)
    switch form {
    case .contract: writer.write(literal: #","value":"#, doubleValue)
    case .stored: writer.write(literal: #","value":"#, text)
    }
    writer.write(literal: "}")
  }
}

extension OnsidePeriod: OnsideValue {
  /// `JSPeriod` of the contract. The store has the ISO 8601 duration.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    switch form {
    case .contract:
      writer.write(literal: #"{"numberOfUnits":"#)
      writer.write(Double(numberOfUnits))
      writer.write(literal: #","unit":"#, unit)
      writer.write(literal: "}")
    case .stored: writer.write(iso8601)
    }
  }
}

extension OnsideStorefront: OnsideValue {
  /// `JSStorefront` of the contract.
  func write(to writer: inout JSONWriter, as form: OnsideForm) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","countryCode":"#, countryCode)
    writer.write(literal: "}")
  }
}

extension OnsidePaymentTransaction {
  /// The object `{ storefront, transaction }` of the question whether a transaction continues; without a storefront after a login.
  func questionText(in storefront: OnsideStorefront? = nil) -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(1024)
    writer.write(literal: "{")
    if let storefront {
      writer.write(literal: #""storefront":"#, storefront, as: .contract)
      writer.write(literal: ",")
    }
    writer.write(literal: #""transaction":"#, self, as: .contract)
    writer.write(literal: "}")
    return writer.bytes
  }
}

extension [OnsidePaymentTransaction] {
  /// The object `{ transactions }` of callbacks and of `getTransactions`.
  var membersText: [UInt8] {
    var writer = JSONWriter()
    // A transaction has about this many bytes.
    writer.bytes.reserveCapacity(32 + 640 * count)
    writer.write(literal: #"{"transactions":["#)
    for (index, transaction) in enumerated() {
      if index > 0 { writer.write(literal: ",") }
      transaction.write(to: &writer, as: .contract)
    }
    writer.write(literal: "]}")
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a member unless its value is nil. `name` includes the punctuation around it, such as `,"id":`.
  mutating func write(literal name: StaticString, _ value: String?) {
    guard let value else { return }
    write(literal: name)
    write(value)
  }

  /// Writes a member in one of its forms, unless its value is nil.
  mutating func write(literal name: StaticString, _ value: (some OnsideValue)?, as form: OnsideForm) {
    guard let value else { return }
    write(literal: name)
    value.write(to: &self, as: form)
  }

  /// Writes a number unless it is nil.
  mutating func write(literal name: StaticString, _ number: Double?) {
    guard let number else { return }
    write(literal: name)
    write(number)
  }
}
