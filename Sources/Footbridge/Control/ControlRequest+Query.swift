import HTTPTypes

extension ControlRequest {
  /// A whole number in the query; nil if it is missing.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlProblem) -> Int? {
    guard let text = query[Substring(name)] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// One of a few words in the query; nil if it is missing.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    _ type: Choice.Type
  ) throws(ControlProblem) -> Choice? {
    guard let text = query[Substring(name)] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw .badRequest("\(name) must be one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return choice
  }

  /// The cursor of the last event that a browser has (HTML standard, "Last-Event-ID"); nil if the request has none.
  func lastEventID() throws(ControlProblem) -> Int? {
    guard let name = HTTPField.Name("Last-Event-ID"), let text = exchange.head.fields[name], !text.isEmpty else {
      return nil
    }
    guard let cursor = Int(text), cursor >= 0 else {
      throw .badRequest("Last-Event-ID must be a cursor of the journal: a whole number from 0.")
    }
    return cursor
  }
}
