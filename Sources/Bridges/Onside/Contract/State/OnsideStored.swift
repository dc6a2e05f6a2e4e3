import BridgeCore

/// A value that a store keeps for each purchase. It is written without Foundation's coders, for speed. The text is what they would write,
/// and they can read it.
protocol OnsideStored: Codable {
  /// Writes the value as its `Decodable` reads it.
  func writeStored(to writer: inout JSONWriter)
}

extension OnsideStored {
  /// The value as JSON text.
  func makeStoredText() -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(1024)
    writeStored(to: &writer)
    return writer.bytes
  }
}

extension QueuedTransaction: OnsideStored {
  /// The transaction as JSON text that its `Decodable` reads.
  public var storedText: [UInt8] { makeStoredText() }

  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"transaction":"#, transaction, as: .stored)
    writer.write(literal: #","accountID":"#, accountID)
    writer.write(literal: #","stage":"#, stage.rawValue)
    writer.write(literal: needsAnnouncement ? #","needsAnnouncement":true"# : #","needsAnnouncement":false"#)
    writer.write(literal: #","agreedCountryCode":"#, agreedCountryCode)
    if let charge {
      writer.write(literal: #","charge":{"price":"#, charge.price, as: .stored)
      writer.write(literal: charge.isIntroductory ? #","isIntroductory":true"# : #","isIntroductory":false"#)
      writer.write(literal: #","offerID":"#, charge.offerID)
      writer.write(literal: "}")
    }
    writer.write(literal: "}")
  }
}

extension OnsidePurchase: OnsideStored {
  /// The order as JSON text that its `Decodable` reads.
  public var storedText: [UInt8] { makeStoredText() }

  func writeStored(to writer: inout JSONWriter) {
    writer.write(literal: #"{"id":"#, id)
    writer.write(literal: #","originalID":"#, originalID)
    writer.write(literal: #","accountID":"#, accountID)
    writer.write(literal: #","productIdentifier":"#, productIdentifier)
    writer.write(literal: #","type":"#, type.rawValue)
    writer.write(literal: #","groupIdentifier":"#, groupIdentifier)
    writer.write(literal: #","price":"#, price, as: .stored)
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
