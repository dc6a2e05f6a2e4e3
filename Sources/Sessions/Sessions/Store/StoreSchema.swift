/// The tables of a store have a version, which is in the store itself. Tables of another version may be unreadable.
package struct StoreSchema {
  /// The version of the tables that this program makes.
  static let version = 1
  /// The table with the version of the others.
  package static let statement = "CREATE TABLE schemaVersion (version integer NOT NULL, usableBy integer NOT NULL)"

  /// The version of the tables.
  let version: Int
  /// The oldest version whose programs can use these tables, too. So an update can replace one server after the other.
  let usableBy: Int

  /// Writes the version of new tables.
  package static func write(to transaction: any StoreTransaction) throws {
    try transaction.run(
      "INSERT INTO schemaVersion (version, usableBy) VALUES (?, ?)", .integer(version), .integer(version))
  }

  /// Reads the version of existing tables.
  package init(from transaction: any StoreTransaction) throws {
    let row = try transaction.row("SELECT version, usableBy FROM schemaVersion")
    version = try row?[0].integer() ?? 0
    usableBy = try row?[1].integer() ?? 0
  }

  /// Whether this program can use the tables.
  package var isUsable: Bool { version == Self.version || version > Self.version && usableBy <= Self.version }

  /// Returns the error for a store that this program cannot use.
  ///
  /// - Parameters:
  ///   - place: The file, or the address of the database.
  ///   - schema: The version of its tables; nil if they have none, as before version 0.1.0.
  ///   - removal: What a person does to begin with an empty store; as the beginning of a sentence.
  package static func unusable(_ place: String, _ schema: StoreSchema?, removal: String) -> StateError {
    if let schema, schema.version > version {
      return .unusable(place, reason: "A newer version of Footbridge has written it.")
    }
    return .outdated(place, removal: removal)
  }
}
