package import BridgeCore

/// Why the store has not done what a bridge has asked for.
package struct InAppError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors. The raw value is their code in lines of handlers and in pages.
  package enum Code: String, Sendable, CaseIterable {
    /// The person has dismissed the purchase, the login or the restore.
    case cancelled
    /// No product has this identifier, or it is not sold in the present country.
    case unknownProduct
    /// The product has no such offer.
    case unknownOffer
    /// The account cannot have the offer now.
    case notEligible
    /// The app has no such unfinished transaction.
    case unknownTransaction
    /// The app has refused to go on after the login.
    case rejected
    /// Nobody is signed in.
    case notSignedIn
    /// The network has failed.
    case network
    /// The store does not answer.
    case unavailable
    /// The session has reached a limit.
    case limit
    /// The request has another form.
    case badRequest
    /// The session has no store.
    case noStore
    /// Something else.
    case failed
  }

  /// The kind.
  package let code: Code
  /// A sentence for people.
  package let description: String

  package init(_ code: Code, _ description: String) {
    (self.code, self.description) = (code, description)
  }

  /// The session has no store.
  package static let noStore = InAppError(
    .noStore, "This session has no store: the bridge that plays it is switched off.")

  /// The error as an object with a `message` and a `code`.
  package var json: JSONValue { ["message": .string(description), "code": .string(code.rawValue)] }
}
