import HTTPTypes

extension HTTPFields {
  /// Appends the fields of names that are not there yet.
  mutating func append(missingFrom other: HTTPFields) {
    for field in other where self[field.name] == nil { append(field) }
  }
}
