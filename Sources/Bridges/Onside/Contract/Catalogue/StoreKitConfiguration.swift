import BridgeCore
public import Essentials

/// Xcode's StoreKit configuration (a `.storekit` file): the catalogue and the settings of local testing.
///
/// ```swift
/// let file = try Data(contentsOf: URL(filePath: "Products.storekit"))
/// let configuration = OnsideConfiguration(try StoreKitConfiguration(data: file))
/// ```
///
/// Reads format versions 1 to 5. A later version is read by the same rules: unknown keys have no effect, with a remark for each, and a value
/// of the wrong type is an error, except in an offer: an offer with an error is left out, with a remark.
public struct StoreKitConfiguration: Sendable {
  /// The products.
  public let catalogue: Catalogue
  /// The settings.
  public let settings: StoreKitSettings
  /// Remarks for people about offers and billing plans that are left out, and about keys and valid values that have no effect.
  public let remarks: [String]

  /// The largest file that is read, in bytes.
  public static let maximumSize = 8 << 20

  /// Reads the text of a `.storekit` file.
  ///
  /// - Throws: ``StoreKitConfigurationError`` for a document that is too large or too deep, that is not the JSON of a StoreKit
  ///   configuration, or that has a value of the wrong type, an unreadable price or period, or the same product identifier twice.
  public init(data: Data) throws(StoreKitConfigurationError) {
    let root = StoreKitNode(value: try Self.parse(data), path: "$")
    var remarks: [String] = []
    catalogue = Catalogue(products: try Self.products(of: root, remarks: &remarks))
    settings = try Self.settings(of: try root.member("settings"), remarks: &remarks)
    self.remarks = remarks + UnusedStoreKitKeys(in: root.value ?? .null).remarks
  }

  /// The members that hold products. Xcode always writes all of them, so a JSON file without any of them is something else.
  private static let catalogueMembers = ["products", "nonRenewingSubscriptions", "subscriptionGroups"]

  private static func parse(_ data: Data) throws(StoreKitConfigurationError) -> JSONValue {
    func failure(_ expected: String, found: String) -> StoreKitConfigurationError {
      StoreKitConfigurationError(path: "$", expected: expected, found: found)
    }
    guard data.count <= maximumSize else {
      throw failure("at most \(maximumSize) bytes", found: "\(data.count) bytes")
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: data)
    } catch {
      throw failure(
        "the JSON object of an Xcode StoreKit configuration",
        found: "text that cannot be read (\(error.description(in: data)))")
    }
    guard case .object(let members) = value else {
      throw failure("the JSON object of an Xcode StoreKit configuration", found: "another JSON value")
    }
    guard catalogueMembers.contains(where: { members[$0] != nil }) else {
      let names = catalogueMembers.joined(separator: ", ")
      throw failure("an Xcode StoreKit configuration, with \(names)", found: "an object with none of its members")
    }
    return value
  }
}

/// An error in a `.storekit` file. The caller adds the file's name.
public struct StoreKitConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the document, such as `$.products[2].displayPrice`. `$` is the document itself.
  public let path: String
  /// What was expected there, such as `a string`.
  public let expected: String
  /// What was there instead, such as `a number`.
  public let found: String

  /// A sentence for people: the place, what was found, what to write instead.
  public var description: String { "\(path): found \(found), expected \(expected)." }
}
